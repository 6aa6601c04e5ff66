define i32 @f(i32 %a) {
  %r = call i32 asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=r,r"(i32 %a)
  ret i32 %r
}
