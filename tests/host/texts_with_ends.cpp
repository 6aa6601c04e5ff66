// Texts that constructors and members take in parts.
std::string made(std::string reg, int n) {
    std::string s("mov (M1, 16) V33(0,0)<1> " + reg + "(0,0)<1;1,0>\n");
    s.append("mul (M1, 16) V33(0,0)<1> ").append("V34(0,0)<1;1,0>" + reg + " 0x3:d\n");
    std::ostringstream os("add (M1, 16) " + reg + " V34(0,0)<1;1,0> 0x1:d\n" + reg);
    std::string braces{"mov (M1, 16) V33(0,0)<1> " + reg + "(0,0)<1;1,0>\n"};
    auto file = std::ofstream{}; std::ostringstream empty = std::ostringstream{}; file << "// of a file\n"; empty << "mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>\n";
    return s;
}
