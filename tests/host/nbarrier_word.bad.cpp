void f() { asm volatile("nbarrier.singal 0x1:ub 0x10:ub\n"); }
