inline void barrier_wait() {
  asm volatile("sbarrier.wait 0x0:ub\n");
}
