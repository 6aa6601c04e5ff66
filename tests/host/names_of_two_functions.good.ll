; Each function declares a name of its own.
define i32 @f(i32 %x) {
  %a = call i32 asm ".decl t v_type=G type=d num_elts=16 align=GRF\0Amov (M1, 16) t(0,0)<1> $1(0,0)<1;1,0>\0Amov (M1, 16) $0(0,0)<1> t(0,0)<1;1,0>", "=rw,rw"(i32 %x)
  ret i32 %a
}
define i32 @g(i32 %x) {
  %a = call i32 asm ".decl t v_type=G type=d num_elts=16 align=GRF\0Amov (M1, 16) t(0,0)<1> $1(0,0)<1;1,0>\0Amov (M1, 16) $0(0,0)<1> t(0,0)<1;1,0>", "=rw,rw"(i32 %x)
  ret i32 %a
}
