FIRST = """
kernel void f(global int *p) {
#ifdef A
  asm(".decl T v_type=G type=d num_elts=16\\nmov (M1, 16) T(0,0)<1> 0x1:d\\nmov (M1, 16) %0(0,0)<1> T(0,0)<1;1,0>" : "=rw"(*p));
#else
  asm(".decl T v_type=G type=d num_elts=16\\nmov (M1, 16) T(0,0)<1> 0x2:d\\nmov (M1, 16) %0(0,0)<1> T(0,0)<1;1,0>" : "=rw"(*p));
#endif
}
"""
SECOND = """
kernel void g(global int *p) {
#ifdef A
  asm(".decl T v_type=G type=d num_elts=16\\nmov (M1, 16) T(0,0)<1> 0x1:d\\nmov (M1, 16) %0(0,0)<1> T(0,0)<1;1,0>" : "=rw"(*p));
#else
  asm(".decl T v_type=G type=d num_elts=16\\nmov (M1, 16) T(0,0)<1> 0x2:d\\nmov (M1, 16) %0(0,0)<1> T(0,0)<1;1,0>" : "=rw"(*p));
#endif
}
"""
