std::string store(int data, int lanes) {
  return fmt::format("lsc_store.ugm (M1, {}) flat[addr]:a64 V{}:d16x2\n", lanes, data);
}
