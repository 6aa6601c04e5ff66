define half @f(half %x, i16 %s) {
  %a = tail call fast nofpclass(nan inf) half asm "mul (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x3c00:hf", "=rw,rw"(half %x)
  %b = call spir_func zeroext i16 asm "add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:w", "=rw,rw"(i16 zeroext %s)
  ret half %a
}
