define i32 @f(i32 %x) {
  %r = call i32 asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\0A add (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0> 0x1:d", "=rw,rw"(i32 %x)
  ret i32 %r
}
