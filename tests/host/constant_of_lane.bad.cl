kernel void k(global int *a) {
  int v = a[0];
  __asm__("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> %1\n" : "+rw"(v) : "i"((int)get_global_id(0)));
  a[0] = v;
}
