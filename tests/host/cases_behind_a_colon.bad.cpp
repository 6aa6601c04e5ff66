std::string store(int bits) {
  std::string s = "lsc_store.ugm (M1, 16) flat[$0]:a64 $1:";
  switch (bits) {
  case 8: s += "d8u32"; break;
  case 16: s += "d16s32"; break;
  default: s += "d32"; break;
  }
  return s + "\n";
}
