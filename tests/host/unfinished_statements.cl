// A hash that begins no directive.
  __asm__("dpas.hf.hf.8.8 (M1, 16) %0." #AT " %0." #AT " %2.0 %1(0,0)" : "+rw"(ACC) : "rw"(A), "rw"(B))

// The name of a macro without arguments.
#define VISA(...) __asm__ volatile(__VA_ARGS__)
  int x = p[get_global_id(0)]VISA y;
  VISA("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));

// Labels of two statements.
    __asm__ volatile(
        "LBL:\n"
__attribute__((intel_reqd_sub_group_size(16)))
        : "rw"(x));
    __asm__ volatile(
        "{\n"
        "LBL:\n"
        "}\n"
        : "rw"(x));

// The name of the statement without parentheses.
    int x = a[__asm__];
    __asm__ volatile,
        "mov (M1, 8) %0(0,0)<1> %1(0,0)<1;1,0>\n"
    b[tid] = y;

// A macro within its own arguments.
#define COPY(where) asm("mov (M1, 16) %0(0,0)<1> " where "(0,0)<1;1,0>" : "=rw"(y) : "rw"(x), [name] "rw"(x))
  COPY("%[]"COPY;
}

// A type behind a number.
  __asm__("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> %1:d" : "+rw"(x) : "i"((int)sizeof(int)));
#include <cm/cm.h>

// A macro whose parenthesis is missing.
#define UNARY(op, d, s) asm volatilehfop " (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(d) : "rw"(s))
  UNARY("rsqrtf", x, y);

// A statement that is not closed before the next function.
    __asm__ volatile(
}
__attribute__((intel_reqd_sub_group_size(8))) kernel void k(global int *p) {
  __asm__("not (M1, 8) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(r) : "rw"(a));
