// Macros that the file does not define may be anything, also operands; those that it defines, and its own texts, are read.
#define MOV "mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>"
#define END "\n"
#define NAMES(x) [x] "rw"(x)
#define WRITES "=rw"
#define ARGS : "=rw"(r) : "rw"(x)
#define WITH(text, ...) asm(text __VA_ARGS__)
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *p) {
    int r, x = p[0];
    asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" OPERANDS);
    asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" OPERANDS(r, x));
    asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" ARGS);
    asm("mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>" END);
    asm("mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>" END MOV);
    asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : OUT(r) : "rw"(x));
    asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : WRITES(r) : "rw"(x));
    asm("mov (M1, 16) %0(0,0)<1> %[x](0,0)<1;1,0>" : "=rw"(r) : NAMES(x));
    asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(r) : UNKNOWN);
    asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(r) : "rw"(x) "rw"(x));
    asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(r) : (x));
    asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : [r] "=rw"(r) : "[r]"(x));
    asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : [r] "=rw"(r) : "[none]"(x));
    WITH("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>", : "=rw"(r) : "rw"(x));
    WITH("mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>");
    WITH("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>", OPERANDS(r, x));
    p[0] = r;
}
