// Types of names and expressions: what each declares, and what an operand of it is.
#include <cstdint>
#define RUN(value) asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(value))
#define PREFIX asm volatile
#define REAL float
#define POINTER(t) t *
#define NAMED(a, b) a##b
#define TWICE(a, b) NAMED(NAMED(a, b), _t)
#define GIVES_LONG(x) ((long)(x))
#define GIVES_NOTHING(x) x
#define ONE_OF(M) M(int) M(float)
#define WITH_ASM(t) void NAMED(run_, t)(t v) { int y; asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(v)); }
#define TWO_BODIES(x) int
#define TWO_BODIES(x) float
#define DEEP0(x) x
#define DEEP1(x) DEEP0(DEEP0(x))
#define DEEP2(x) DEEP1(DEEP1(x))
#define DEEP3(x) DEEP2(DEEP2(x))
#define AROUND(x) AROUND(x)
ONE_OF(WITH_ASM)
using std::uint32_t;
using namespace std;
using real = float;
using reals = real[4];
using eight = float __attribute__((ext_vector_type(8)));
typedef unsigned char byte;
typedef int four __attribute__((ext_vector_type(4)));
typedef struct { int a; int b; } pair_t;
typedef enum { A, B } letter;
typedef struct outer { short s; struct outer *next; pair_t both; } outer_t;
typedef int (*function)(int);
typedef int array_t[8];
enum plain { C, D = 7, E };
enum class scoped : unsigned char { F, G };
enum : long { BIG = 1 };
struct small { short x, y; };
struct packed { char c[4]; };
struct mixed { float f; int i; };
struct derived : small { int more; };
struct own final { long only; };
union either { int i; float f; };
struct forward;
template <typename T> using self = T;
template <typename T, int N> using rows = T __attribute__((ext_vector_type(N)));
template <typename T> struct holder { T value; T *pointer; using type = T; static constexpr int n = 4; };
template <> struct holder<char> { using type = short; };
template <typename T> struct holder<T *> { using type = T; };
template <typename T, int N = 2> struct array_of { T all[N]; };
namespace outer_space { namespace inner_space { using deep = double; int64_t wide(); } }
namespace one::two { struct nested { float f; }; constexpr int number = 3; }
long returns_long(int);
unsigned short returns_short();
float overloaded(int);
int overloaded(float);
static inline char *returns_pointer(void);
template <typename T> T returns_same(T v);
float4 returns_vector(int a, int b);
constexpr int kilo = 1024;
const long many = 1L << 40;
static const float ratio = 0.5f;

void numbers(int x) {
  int y;
  RUN(1); RUN(1u); RUN(1l); RUN(1ul); RUN(1ll); RUN(0x7fffffff); RUN(0x80000000); RUN(0xffffffff); RUN(0x100000000);
  RUN(2147483647); RUN(2147483648); RUN(4294967296); RUN(017); RUN(0b11); RUN(1'000'000);
  RUN(1.0); RUN(1.0f); RUN(1.0F); RUN(1.0h); RUN(1.0H); RUN(1e3); RUN(1.f); RUN(.5); RUN(0x1p3); RUN('a'); RUN(true); RUN(nullptr);
  RUN(-1); RUN(~1u); RUN(!x); RUN(+x); RUN(- -x); RUN(sizeof(int)); RUN(sizeof x); RUN(alignof(long)); RUN(kilo); RUN(many); RUN(ratio);
}
void casts(int x, void *v) {
  int y;
  RUN((long)x); RUN((long)x + 1); RUN((unsigned char)x); RUN((float4)(x)); RUN((x)); RUN((x)(1)); RUN((x) + 1L); RUN((real)x);
  RUN((const int)x); RUN((int *)v); RUN(*(short *)v); RUN(((outer_t *)v)->s); RUN(((outer_t *)v)->next->both.a); RUN((unknown)x);
  RUN(static_cast<long>(x)); RUN(static_cast<long>(x) + 1.0); RUN(static_cast<short *>(v)[2]); RUN(reinterpret_cast<float4 *>(v)[0]);
  RUN(*reinterpret_cast<const double *>(v)); RUN(static_cast<unknown>(x)); RUN(std::bit_cast<float>(x)); RUN(sycl::bit_cast<long>(x));
  RUN(__builtin_bit_cast(float, x)); RUN(__builtin_bit_cast(unknown, x)); RUN(static_cast<long>); RUN(long(x)); RUN(real(x)); RUN(real{1});
  RUN(as_float(x)); RUN(as_uint2(1L)); RUN(convert_short(x)); RUN(convert_half4_rte(x)); RUN(a::b::c(x)); RUN(::returns_long(x)); RUN(outer_space::inner_space::wide());
}
void names(int x, const float *restrict p, holder<float> h, holder<int> &r, array_of<short, 3> rows3, std::array<long, 4> fixed, reals four_reals, __global half *g) {
  int y, z = 1, *q = &y, all[4], *const *pp; unsigned u; signed char sc; long long ll; unsigned long long ull; long double ld; short int si; unsigned long int uli;
  auto a = x; auto b = p[0]; auto &c = all[0]; auto *d = p; auto e = {1, 2}; const auto f = 1.0; auto g2 = returns_long(1); decltype(x) dx;
  byte by; four fo; eight ei; pair_t pt; letter le; outer_t ou; function fu; array_t ar; plain pl; scoped sco; small sm; packed pk; mixed mx; derived de; own ow; either ei2; forward *fw;
  self<long> sl; rows<float, 8> rf; holder<int>::type ht; holder<char>::type hc; holder<float *>::type hp; outer_space::inner_space::deep od; one::two::nested ne;
  uint32_t ui; std::uint16_t us; size_t st; ptrdiff_t pd; uintptr_t up; char8_t c8; _Float16 fl; __bf16 bf; bool bo; wchar_t wc; half ha; bfloat16 bb; uchar uc; ulong ul; ushort4 us4; double16 d16;
  simd<float, 16> s1; sycl::vec<int, 4> s2; sycl::ext::intel::esimd::simd<short, 32> s3; vector_ref<float, 8> s4; sycl::marray<half, 3> s5; cm::vector<int, 8> s6; matrix<float, 2, 8> m1;
  REAL re; POINTER(int) pi; NAMED(flo, at) nf; TWICE(uint, 16) u16; TWO_BODIES(x) tb; volatile int vo; static int stt; register int rg; thread_local int tl;
  RUN(x); RUN(p); RUN(*p); RUN(p[1]); RUN(h.value); RUN(*h.pointer); RUN(h.pointer[1]); RUN(r.value); RUN(rows3.all[1]); RUN(fixed[1]); RUN(four_reals[1]); RUN(g[0]); RUN(*g);
  RUN(y); RUN(z); RUN(q); RUN(*q); RUN(all); RUN(all[1]); RUN(**pp); RUN(u); RUN(sc); RUN(ll); RUN(ull); RUN(ld); RUN(si); RUN(uli); RUN(&y); RUN(&all[1]); RUN(&p[1]); RUN(&pt.a); RUN(&ou->s); RUN(&unknown);
  RUN(a); RUN(b); RUN(c); RUN(d); RUN(*d); RUN(e); RUN(f); RUN(g2); RUN(dx); RUN(by); RUN(fo); RUN(fo.x); RUN(fo.xy); RUN(fo[1]); RUN(fo.s0); RUN(fo.lo); RUN(ei); RUN(pt); RUN(pt.a); RUN(pt.none); RUN(le); RUN(ou.s); RUN(ou.next); RUN(ou.both.b);
  RUN(fu); RUN(fu(1)); RUN(ar); RUN(ar[1]); RUN(pl); RUN(sco); RUN(sm); RUN(pk); RUN(mx); RUN(de); RUN(ow); RUN(ei2); RUN(ei2.f); RUN(fw); RUN(D); RUN(scoped::G); RUN(BIG);
  RUN(sl); RUN(rf); RUN(ht); RUN(hc); RUN(hp); RUN(od); RUN(ne); RUN(ne.f); RUN(one::two::number); RUN(holder<int>::n); RUN(ui); RUN(us); RUN(st); RUN(pd); RUN(up); RUN(c8); RUN(fl); RUN(bf); RUN(bo); RUN(wc); RUN(ha); RUN(bb); RUN(uc); RUN(ul); RUN(us4); RUN(d16);
  RUN(s1); RUN(s1[0]); RUN(s2); RUN(s2.x()); RUN(s3); RUN(s4); RUN(s5); RUN(s6); RUN(m1); RUN(m1[0][1]); RUN(re); RUN(pi); RUN(nf); RUN(u16); RUN(tb); RUN(vo); RUN(stt); RUN(rg); RUN(tl);
  RUN(returns_long(1)); RUN(returns_short()); RUN(overloaded(1)); RUN(returns_pointer()); RUN(*returns_pointer()); RUN(returns_same(x)); RUN(returns_vector(1, 2)); RUN(returns_vector(1, 2).x); RUN(GIVES_LONG(x)); RUN(GIVES_NOTHING(u)); RUN(DEEP3(u)); RUN(AROUND(u)); RUN(GIVES_LONG);
  RUN(x + 1L); RUN(x + u); RUN(x + 1.0f); RUN(sc + sc); RUN(x << 1L); RUN(1L << x); RUN(x < u); RUN(x && u); RUN(x ? 1 : 2L); RUN(x ? p : 0); RUN(p + 1); RUN(p - p); RUN(x, 1L); RUN(x = 1L); RUN(x++); RUN(++u); RUN(x * 1.0); RUN(fo + fo); RUN(fo * 2); RUN(x % u); RUN(~sc); RUN(ll >> u); RUN(ha + ha); RUN(ha + 1.0f);
  PREFIX("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x)); RUN(y);
  { long x = 1; RUN(x); { float x; RUN(x); } RUN(x); } RUN(x);
  for (long i = 0; i < 4; ++i) RUN(i);
  for (auto &one : all) RUN(one);
  for (auto one : fixed) RUN(one);
  if (short s = 1; s) RUN(s);
  auto lambda = [&](double inner) { RUN(inner); return inner; };
  RUN(lambda); RUN(lambda(1));
}
