kernel void f(global int *p) {
  __asm__(".kernel_attr SLMSize=1\nbarrier");
}
