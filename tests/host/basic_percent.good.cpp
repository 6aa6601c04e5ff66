void drain() {
  asm volatile("lsc_fence.ugm.none.group\n"
               "mov (M1, 1) %null(0,0)<1> 0x0:ud");
}
