define spir_func void @k(i32 %a) !intel_reqd_sub_group_size !{i32 16} {
  %r = call { i32, i32 } asm "mov (M1, 16) $0(0,0)<1> $2(0,0)<1;1,0>\0A{\0A.decl D v_type=G type=d num_elts=16 alias=<$1, 0>\0Amov (M1, 16) D(0,0)<1> $2(0,0)<1;1,0>\0A}", "=rw,=rw,rw"(i32 %a)
  %x = extractvalue { i32, i32 } %r, 1
  ret void
}
