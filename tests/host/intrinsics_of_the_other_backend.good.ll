declare i16 @llvm.genx.GenISA.simdLaneId()
define spir_kernel void @k(i32 %a) !intel_reqd_sub_group_size !0 {
  %r = call i32 asm "xor (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:d", "=rw,rw"(i32 %a)
  ret void
}
!0 = !{i32 16}
