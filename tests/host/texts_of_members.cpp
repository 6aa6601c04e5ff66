// Texts that calls of members, loops and lists put together.
#include <sstream>
std::string appended(int n, std::string name) {
    std::string s = "mov (M1, 16) V33(0,0)<1> ";
    s.append("V34(0,0)<1;1,0>" + name + "\nadd (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0> 0x1:d\n");
    for (int i = 0; i < n; s += "// step\n") s.append("mul (M1, 16) V33(0,0)<1> ").append("V34(0,0)<1;1,0>").append(" 0x3:d\n");
    s.append("// end\n").reserve(n);
    s.append("barrier\n").append;
    return s;
}
std::string inlined(int n) {
    static const constexpr char text[] = "mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>\n";
    inline static const std::string other = "mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>\n";
    stream(file(n)) << "mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>\n" << "add (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0> 0x1:d\n";
    const char *all[] = {"mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>", "add (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0> 0x1:d",};
    use({"mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>", "mul (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0> 0x3:d"}, n);
    use("mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>", n, "// not a line");
    return n < 3 ? "mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>" : "=rw,rw";
}
std::string streamed(int n) {
    std::ostringstream os;
    os << std::hex << std::setw(2) << "mov (M1, 16) V33(0,0)<1> 0x" << n << ":d" << '\n';
    os.str("mul (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0> 0x3:d\n");
    os.flush(); os << std::string("add (M1, 16) V33(0,0)<1> ") << std::string_view{"V34(0,0)<1;1,0>"} << " 0x1:d" << std::endl;
    if (n <3) os << "mul (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0> 0x3:d\n";
    return os.str();
}
