void flush(void) {
    __asm__ volatile("wait");
}
