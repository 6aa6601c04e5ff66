// Two lists of properties of one name.
  auto props = properties{sub_group_size<16>};
  q.parallel_for(sycl::nd_range<1>{512, 16}, props, [=](sycl::nd_item<1> it) {
  void operator()() const { int v; asm("mov (M1, 16) %0(0,0)<1> 0x7:d" : "=rw"(v)); }
  properties props{sub_group_size<32>};

// A stream whose type is misspelt.
auto load(module &m, int n) {
    auto text = std:nostringstream{};
    text << "{\n"
         << ".decl view v_type=G type=ud num_elts=" << 16 * n << " alias=<$1,0>\n";
}

// A function whose brace is missing.
std::string kernel(const std::string &type) uq
  s += "  float v = p[get_global_id(0)];\n  __asm__(\n";
  s.append("    \"inv (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0>\\n\"\n");
  s += "    : \"+rw\"(v));\n";

// A word over two literals.
  asm("mo"
      "w (M1, 16) %0(0,0)<1> 0x1:d\n" : "+rw"(x));

// A line of a stream without its name.
std::string store(const char *name) {
         << ".decl view v_type=G type=ud num_elts=" << 16 * n << " alias=<$1,0>\n";
}

// A stream of another type.
  std::string text;
  llvm::not os(text);
  os << "add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> " << n << ":d\n";
  return b.CreateCall(llvm::InlineAsm::get(mov, os.str(), "=rw,rw", true), {v});

// A shift that is cut in two.
    auto text = std::ostringstream{};
        text << "movs16 (M1, 16) $0(" << k << ",0)<1> view(" <df k << ",0)<1;1,0>\n";
    return m.add<OpAsmINTEL>(m.target(), std::move(text).str(), "=rw,rw");

// A literal with a name between its lines.
      asm volatile("-decl t v_type=G type=d num_elts=16 align=GRF\n"
    down="rndz (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>;",
                   "add (M1, 16) %0(0,0)<1> t(0,0)<1;1,0> 0x1:d\n" : "+rw"(x));

// Constraints without a comma.
    auto text = std::ostringstream{};
        text << "mov (M1, 16) $0(" << k << ",0)<1> view(" << k << ",0)<1;1,0>\n";
    return m.add<OpAsmINTEL>(m.target(), std::move(text).str()0 "=rw,rw");

// A class with two lists of properties.
struct second {
  auto get(properties_tag) const { return properties{sub_group_size<16>}; }
  auto get(properties_tag) const { return properties{sub_group_size<32>}; }
  void operator()() const { int v; asm("mov (M1, 32) %0(0,0)<1> 0x7:d" : "=rw"(v)); }

// A constant whose equal sign is another word.
constexpr float LANES sel 8;
constexpr int SG = 2 * LANES;
[[sycl::reqd_sub_group_size(SG)]] void f(float a) {
  asm("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x0:f" : "+rw"(a));

// An alias without an equal sign.
  [[sycl::reqd_sub_group_size(16)]] void load(const float *from) {
    value_t v;
    asm volatile("lsc_load.ugm (M1, 16) %0:d32x4 flat[%1]:a64" : "=rw"(v) : "rw"(from));
  using value_t value_t float2;

// A class that is declared twice.
template <class T, int N> struct Tile {
    typedef T Element;
    using Row = Element __attribute__((ext_vector_type(N)));
};
[[sycl::reqd_sub_group_size(16)]] void load(int *p) {
    Tile<int, 4>::Row w;
template <class T, int N> struct Tile {
    asm volatile("lsc_load.ugm (M1, 16) %0:d32x4 flat[%1]:a64" : "=rw"(w) : "rw"(p));
};

// Two texts, one behind the other.
  s += "  float v = p[get_global_id(0)];\n  __asm__(\n";
  s.append("    \"inv (M1, 16) %0(0,16)<1> %0(0,0)<1;1,0>\\n\"\n");
  s += "  p[get_global_id(0)] = v;\n}\n";
  return s;
  s += "kernel void k(global " + type + " *p) {\n";

// A modifier that is a number.
[[sycl::reqd_sub_group_size(16)]] int load(uint64_t base, uint32_t low) {
  asm volatile("lsc_load.16 (M1, 16) %0:d32 flat[%1]:a64" : "=rw"(y) : "rw"(low & 0xffff0u));

// A class whose name is a number.
struct 16 {
  short value;
  [[sycl::reqd_sub_group_size(16)]] void load(const int *from, const int *value) {
    asm volatile("lsc_load.ugm (M1, 16) %0:d32 flat[%1]:a64" : "=rw"(this->value) : "rw"(from));
