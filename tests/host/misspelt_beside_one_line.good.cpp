std::string fence() {
  std::ostringstream text;
  text << "lsc_fence.ugm.none.gpu\n";
  text << "barrier\n";
  return text.str();
}
