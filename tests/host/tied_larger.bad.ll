define i32 @f(i32 %a, i64 %b) {
  %r = call i32 asm "add (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0> 0x1:d", "=rw,0"(i64 %b)
  ret i32 %r
}
