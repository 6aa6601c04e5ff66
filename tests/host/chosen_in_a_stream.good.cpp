std::string load(bool is_wide, bool is_cached) {
  std::ostringstream os;
  os << "lsc_load.ugm" << (is_cached ? ".ca.ca" : ".uc.uc") << " (M1, 16) $0:" << (is_wide ? "d64" : "d32")
     << " flat[$1]:a64\n";
  return os.str();
}
