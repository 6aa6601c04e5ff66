kernel void f(global uint8 *p, uint8 header) {
  uint8 result;
  asm volatile("raw_sends.15.1.0.1 (M1, 16) 0x0:ud 0x2128001:ud %1.0 %0.0\n" : "=rw"(result) : "rw"(header));
  p[get_global_id(0)] = result;
}
