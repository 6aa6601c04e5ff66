define spir_kernel void @f(<2 x bfloat> %x) !intel_reqd_sub_group_size !0 {
  %y = call <2 x i32> asm "{\0A.decl two v_type=G type=uw num_elts=32 alias=<$1, 0>\0Amov (M1, 16) $0(0,0)<1> two(0,0)<1;1,0>\0A}", "=rw,rw"(<2 x bfloat> %x)
  ret void
}
!0 = !{i32 16}
