#include <sstream>

auto load(module &m, int n) {
    auto text = std::ostringstream{};
    text << "{\n"
         << ".decl view v_type=G type=ud num_elts=" << 16 * n << " alias=<$1,0>\n";
    for (int k = 0; k < n; k += 2) {
        text << "mov (M1, 16) $0(" << k << ",0)<1> view(" << k << ",0)<1;1,0>\n";
    }
    text << "}\n";
    return m.add<OpAsmINTEL>(m.target(), std::move(text).str(), "=rw,rw");
}

std::string store(const char *name) {
    std::ostringstream text;
    text << "mov (M1, 16) $0(0,0)<1> 0x0:d // " << name << "\n"
         << "not (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0>\n";
    return text.str();
}
