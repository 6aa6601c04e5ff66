; A label that only one of two statements has.
  %r = call i32 asm sideeffect "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\0Agoto (M1, 16) out\0Aout:", "=rw,rw"(i32 %x)
  %q = call i32 asm sideeffect "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\0Agoto (M1, 16) out\0Aout0", "=rw,rw"(i32 %r)
