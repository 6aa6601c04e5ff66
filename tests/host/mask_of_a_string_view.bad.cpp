static constexpr std::string_view kMask = "M1_N";
std::string line() { return "add (" + std::string(kMask) + ", 16) a(0,0)<1> a(0,0)<1;1,0> 0x1:d\n"; }
