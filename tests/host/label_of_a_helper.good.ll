define internal spir_func i32 @skip(i32 %x) {
  %r = call i32 asm "{\0A.decl z v_type=P num_elts=16\0Amov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\0Acmp.eq (M1, 16) z $1(0,0)<1;1,0> 0x0:d\0A(z) goto (M1, 16) DONE${:uid}\0Aadd (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0> 0x1:d\0ADONE${:uid}:\0A}", "=rw,rw"(i32 %x)
  ret i32 %r
}
define spir_kernel void @once(ptr addrspace(1) %p, i32 %x) {
  %r = call i32 asm "{\0A.decl z v_type=P num_elts=16\0Amov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\0Acmp.eq (M1, 16) z $1(0,0)<1;1,0> 0x0:d\0A(z) goto (M1, 16) END\0Aadd (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0> 0x1:d\0AEND:\0A}", "=rw,rw"(i32 %x)
  store i32 %r, ptr addrspace(1) %p
  ret void
}
