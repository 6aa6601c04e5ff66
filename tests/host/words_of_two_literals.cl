// A word whose parts stand in two literals: of one macro, of two, and of none.
#define ONE "mo" "q (M1, 16) %0(0,0)<1> 0x1:d"
//~          ^^^^^^ error[unknown-instruction]
#define FIRST "mo"
#define SECOND "q (M1, 16) %0(0,0)<1> 0x1:d"
#define WHOLE "mov (M1, 16) %0(0,0)<1> " "0x1:d"

kernel void f(int x) {
    int y;
    asm(ONE : "=rw"(y));
    asm(FIRST SECOND : "=rw"(y));
//~     ^^^^^^^^^^^^ error[unknown-instruction]
    asm("mo" "q (M1, 16) %0(0,0)<1> 0x1:d" : "=rw"(y));
//~      ^^^^^^ error[unknown-instruction]
    asm(WHOLE : "=rw"(y));
}
