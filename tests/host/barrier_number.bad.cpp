inline void wait() {
  asm volatile("nbarrier.wait 0x40:ub");
}
