#define OPERANDS(...) __VA_ARGS__
#define EMIT(text, outs, ins) asm volatile(text : outs : ins)
inline int madd(int a, int b, int c) {
  int r;
  EMIT("mad (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<1;1,0> %4(0,0)<1;1,0>",
       OPERANDS("=rw"(r)), OPERANDS("rw"(a), "rw"(b), "rw"(c)));
  return r;
}
