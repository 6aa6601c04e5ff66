inline void wait() {
  asm volatile("nbarrier.wait 0x1f:ub");
}
