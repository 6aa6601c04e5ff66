define spir_kernel void @k(i32 %"a b") !intel_reqd_sub_group_size !0 {
  %r = call noundef i32 asm "asr (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:d", "=rw,rw"(i32 %"a b") ; "comment"
  ret void
}
!0 = !{i32 16}
