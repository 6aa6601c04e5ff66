std::string fence() {
  std::ostringstream text;
  text << "lsc_fence.ugm.none.gpu\n";
  text << "barrierr\n";
  return text.str();
}
