void f() { asm volatile("nbarrier.signal 0x1:ub 0x10:ub\n"); }
