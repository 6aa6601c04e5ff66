kernel void f(int x) {
  asm volatile("{\n.decl Q v_type=P num_elts=16\ncmp.eq (M1, 16) Q %0(0,0)<1;1,0> 0x0:d\n(Q) goto (M1, 16) out%=\n}" : "+rw"(x));
  x += 2;
  asm volatile("out%=:\n" ::);
}
