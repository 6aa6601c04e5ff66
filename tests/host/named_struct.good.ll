%pair = type { i32, float }
define void @f(i32 %a, float %b) {
  %r = call %pair asm "mov (M1, 16) $0(0,0)<1> $2(0,0)<1;1,0>\0Anot (M1, 16) $0(0,0)<1> $2(0,0)<1;1,0>\0Amov (M1, 16) $1(0,0)<1> $3(0,0)<1;1,0>", "=rw,=rw,rw,rw"(i32 %a, float %b)
  ret void
}
