std::string fence(Scope scope, bool is_slm) {
  std::string line = "lsc_fence.";
  if (is_slm)
    line += "slm";
  else
    line += "ugm";
  line += ".none";
  switch (scope) {
  case Scope::Group: line += ".group\n"; break;
  case Scope::Tile: line += ".tiles\n"; break;
  }
  return line;
}
