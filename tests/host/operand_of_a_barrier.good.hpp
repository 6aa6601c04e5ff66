inline void barrier_wait() {
  asm volatile("sbarrier.wait\n");
}
