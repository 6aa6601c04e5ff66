std::string fence(bool is_slm, bool is_gpu) {
  std::ostringstream os;
  os << "lsc_fence." << (is_slm ? "slm" : "ugm") << ".none." << (is_gpu ? "gpu" : "group") << "\n";
  return os.str();
}
