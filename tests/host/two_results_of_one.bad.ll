define i32 @f(i32 %x) {
  %y = call i32 asm sideeffect "not (M1, 16) $0(0,0)<1> $2(0,0)<1;1,0>\0Anot (M1, 16) $1(0,0)<1> $2(0,0)<1;1,0>", "=rw,=rw,rw"(i32 %x)
  ret i32 %y
}
