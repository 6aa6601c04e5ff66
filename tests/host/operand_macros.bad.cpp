#define OUT(x) [x] "=rw"(x)
#define IN(x) [x] "rw"(x)
#define OPERANDS(d, s) : "=rw"(d) : "rw"(s)
#define BOTH "=rw"(r), "=rw"(s)

int f(int a) {
    int r, s;
    asm("mov (M1, 16) %[r](0,0)<1> %[a](0,0)<1;1,0>" : OUT(r) : IN(a));
    asm("mov (M1, 16) %0(0,0)<1> %2(0,0)<1;1,0>\n"
        "mov (M1, 16) %1(0,0)<1> %2(0,0)<1;1,0>" : BOTH : IN(a));
    asm("mov (M1, 16) %0(0,0)<1> %2(0,0)<1;1,0>" OPERANDS(r, a));
    return r + s;
}
