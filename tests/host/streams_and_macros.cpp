// Texts of statements as streams, formats and macros put them together.
#define MOV "mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>"
#define STR(x) #x
#define XSTR(x) STR(x)
#define WIDTH 16
#define TWO(op, w) op " (M1, " XSTR(w) ") %0(0,0)<1> %1(0,0)<1;1,0>"
#define ASM(text) asm volatile(text : "=rw"(y) : "rw"(x))
#define JOIN(a, b) a##b
#define VEC(t, n) JOIN(t, n)
#define MANY(first, ...) asm(first : "=rw"(y) : __VA_ARGS__)
#define EMPTY
#define LOOP LOOP
#define NUMBER (8 * 2)
#define UNUSED(n) asm("mov (M1, " #n ") V33(0,0)<1> V34(0,0)<1;1,0>")
#ifdef ONE
#define WHICH "mov"
#else
#define WHICH "movs"
#endif
#if 0
asm("not here");
#endif
typedef float real;
using namespace sycl;
namespace a::b { constexpr int N = 4; }
enum Size : int { Small = 8, Large = Small * 2 };
template <typename T> struct Holder { T value; T *pointer; };
VEC(float, 4) joined(int x) { VEC(int, 2) q; return 0; }
std::string make(int n) {
  std::ostringstream os;
  os << "mov (M1, " << n << ") %0(0,0)<1> %1(0,0)<1;1,0>\n";
  os << "mov (M1, 16) " << "%0(0,0)<1> " << '%' << "1(0,0)<1;1,0>" << std::endl;
  std::stringstream ss("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>");
  llvm::raw_string_ostream rs(text);
  rs << "add (M1, 16) %0(0,0)<1> " << x + 1 << "%1(0,0)<1;1,0> 0x1:d\n";
  std::string s = "mov (M1, 16) ";
  s += "%0(0,0)<1> ";
  s += std::to_string(n) + "%1(0,0)<1;1,0>";
  s.append("\n");
  char buffer[100];
  snprintf(buffer, sizeof(buffer), "mov (M1, %d) %%0(0,0)<1> %%1(0,0)<1;1,0>", n);
  sprintf(buffer, "mov (M1, %d) %%0(0,0)<1> %%1(0,0)<1;1,0>", n);
  auto t = std::format("mov (M1, {}) %0(0,0)<1> %1(0,0)<1;1,0>", n);
  auto u = fmt::format("mov ({}, {}) %0(0,0)<1> %1(0,0)<1;1,0>", "M1", 16);
  std::format_to(std::back_inserter(s), "mov (M1, {}) %0(0,0)<1> %1(0,0)<1;1,0>", n);
  std::format_to(s, "mov (M1, {}) %0(0,0)<1> %1(0,0)<1;1,0>", n);
  auto v = absl::StrCat("mov (M1, ", n, ") %0(0,0)<1> %1(0,0)<1;1,0>");
  auto w = absl::StrFormat("mov (M1, %d) %%0(0,0)<1> %%1(0,0)<1;1,0>", n);
  auto ia = InlineAsm::get(type, "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw", true);
  auto ib = InlineAsm::get(type, MOV, "=rw,rw", false);
  auto ic = builder.create<LLVM::InlineAsmOp>(loc, type, operands, "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw", true);
  std::string asmText = "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>";
  auto id = InlineAsm::get(type, asmText, "=rw,rw", true);
  auto ie = InlineAsm::get(type, "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", std::string("=rw,") + "rw", true);
  return os.str();
}
void all(float *p, int x, sycl::nd_item<1> it) {
  int y; float z; real r; Holder<float> h; VEC(float, 4) v4; long q[Large];
  asm(MOV : "=rw"(y) : "rw"(x));
  asm(TWO("mov", 16) : "=rw"(y) : "rw"(x));
  asm(TWO("mov", WIDTH) : "=rw"(y) : "rw"(x));
  asm(TWO("mov", EMPTY) : "=rw"(y) : "rw"(x));
  asm(WHICH " (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
  ASM(MOV);
  ASM("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>");
  MANY(MOV, "rw"(x));
  MANY("add (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<1;1,0>", "rw"(x), "rw"(y));
  asm(R"(mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>)" : "=rw"(y) : "rw"(x));
  asm(R"visa(mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>)visa" : "=rw"(y) : "rw"(x));
  asm("mov (M1, 16) " /* inner */ "%0(0,0)<1> " // more
      "%1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
  asm("mov (M1, 16) %0(0,0)<1> \
%1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
  asm(u8"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
  asm("\155ov (M1, 16) \0450(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
  asm volatile("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(h.value) : "rw"(*h.pointer));
  asm volatile("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(v4) : "rw"(q[0]));
  asm volatile goto("mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>" : : : : out);
  __asm__ __volatile__("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(r) : "memory");
  asm("mov (M1, 16) %[to](0,0)<1> %[from](0,0)<1;1,0>" : [to] "=rw"(y) : [from] "rw"(x));
  asm("mov (M1, 16) %0(0,0)<1> %1" : "=rw"(y) : "i"(NUMBER));
  asm("mov (M1, 16) %0(0,0)<1> %1" : "=rw"(y) : "i"(Large + a::b::N));
  asm("mov (M1, 16) %0(0,0)<1> %1" : "=rw"(y) : "i"(sizeof(VEC(float, 4))));
  asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"((VEC(float, 4))v4));
  asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(LOOP));
  if (x) asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
  for (int i = 0; i < 4; ++i) { asm("{\n.decl t v_type=G type=d num_elts=16\nmov (M1, 16) t(0,0)<1> %1(0,0)<1;1,0>\nmov (M1, 16) %0(0,0)<1> t(0,0)<1;1,0>\n}" : "=rw"(y) : "rw"(i)); }
  [&] { asm(MOV : "=rw"(z) : "rw"(x)); }();
out:
  ;
}
[[intel::reqd_sub_group_size(8)]] void eight(int x) { int y; asm("mov (M1, 8) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x)); }
[[sycl::reqd_sub_group_size(WIDTH)]] void sixteen(int x) { int y; asm("mov (M1, 8) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x)); }
__attribute__((intel_reqd_sub_group_size(32))) void wide(int x) { int y; asm("mov (M1, 32) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x)); }
