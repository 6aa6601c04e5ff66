#include "operands.h"

int f(int a) {
    int r;
    asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" OPERANDS(r, a));
    asm("mov (M1, 16) %[r](0,0)<1> %[a](0,0)<1;1,0>" : OUT(r) : IN(a));
    asm("mov (M1, 16) %0(0,0)<1> %2(0,0)<1;1,0>" : BOTH(r) : IN(a));
    return r;
}
