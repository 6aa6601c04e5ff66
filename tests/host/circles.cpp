// Names that are made of themselves, and expressions within each other: reading them ends.
#define ITSELF ITSELF
#define FIRST SECOND
#define SECOND FIRST
#define JOIN(a, b) JOIN(a, a##b)
#define AROUND(x) AROUND(AROUND(x))
#define RUN(value) asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(value))
constexpr int SELF = SELF;
constexpr int ONE = TWO + 1;
constexpr int TWO = ONE + 1;
enum circle { A = B, B = A };
using type_of_itself = type_of_itself;
using first_type = second_type;
using second_type = first_type;
typedef first_type third_type;
template <class T, int N> struct Tile { using Row = typename Tile<T, N>::Row; using Other = typename Tile<T, N + 1>::Other; Row value; };
template <class T> using same = same<T>;
struct node { node next; node *link; };
decltype(value) value = value;
auto given = given;
int f(int x, int *p) {
  int y; auto a = a; auto b = c; auto c = b;
  Tile<int, 4>::Row row; Tile<int, 4>::Other other; same<int> s; node n;
  RUN(ITSELF); RUN(FIRST); RUN(JOIN(a, b)); RUN(AROUND(x)); RUN(SELF); RUN(ONE); RUN(A); RUN((type_of_itself)x); RUN((third_type)x);
  RUN(row); RUN(other); RUN(s); RUN(n.next.next.next.next.link->next); RUN(value); RUN(given); RUN(a); RUN(b); RUN(JOIN(fl, oat)(x));
  RUN(((((((((((((((((((((1L)))))))))))))))))))));
  RUN(-(~(-(~(-(~(-(~(-(~(-(~(-(~(-(~(-(~(-(~(-(~(-(~(-(~(-(~(-(~(-(~(-(~(-(~(-(~(-(~(1L)))))))))))))))))))))))))))))))))))))))));
  RUN(*&*&*&*&*&*&*&*&*&*&*&*&*&*&*&*&*&*&*&*&y);
  RUN((long)((long)((long)((long)((long)((long)((long)((long)((long)((long)((long)((long)((long)((long)((long)((long)((long)((long)((long)((long)(x)))))))))))))))))))));
  RUN(x ? x ? x ? x ? x ? x ? x ? x ? x ? x ? x ? x ? x ? x ? x ? x ? x ? x ? x ? x ? 1 : 2.0 : 2.0 : 2.0 : 2.0 : 2.0 : 2.0 : 2.0 : 2.0 : 2.0 : 2.0 : 2.0 : 2.0 : 2.0 : 2.0 : 2.0 : 2.0 : 2.0 : 2.0 : 2.0 : 2.0);
  RUN(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(x, p), p), p), p), p), p), p), p), p), p), p), p), p), p), p), p), p), p), p), p));
  RUN(p[p[p[p[p[p[p[p[p[p[p[p[p[p[p[p[p[p[p[p[p[0]]]]]]]]]]]]]]]]]]]]]);
  asm("mov (M1, %1) %0(0,0)<1> 0x1:d" : "=rw"(y) : "i"(((((((((((((((((((((8))))))))))))))))))))));
  asm("mov (M1, %1) %0(0,0)<1> 0x1:d" : "=rw"(y) : "i"(ONE));
  asm("mov (M1, %1) %0(0,0)<1> 0x1:d" : "=rw"(y) : "i"((int)((int)((int)((int)((int)((int)((int)((int)((int)((int)((int)((int)((int)((int)((int)((int)((int)((int)((int)((int)(8))))))))))))))))))))));
  return y;
}
