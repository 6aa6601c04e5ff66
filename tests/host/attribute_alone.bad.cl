kernel void f(global int *p) {
  __asm__(".kernel_attr SLMSizes=1\nbarrier");
}
