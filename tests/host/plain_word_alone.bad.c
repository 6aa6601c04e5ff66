void flush(int a) {
    int b;
    __asm__ volatile("add (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> 0x1:d" : "=rw"(b) : "rw"(a));
    __asm__ volatile("wait");
}
