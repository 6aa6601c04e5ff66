; A statement with more results than constraints.
  %r = call { i32, i32, i32 } asm sideeffect "mov (M1, 16) $0(0,0)<1> $2(0,0)<1;1,0>\0Amov (M1, 16) $1(0,0)<1> $2(0,0)<1;1,0>", "=rw,=rw,rw"(i32 %x)

; Two quotation marks.
  %y = call i32 asm sideeffect "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0"", "=rw,rw"(i32 %x)
