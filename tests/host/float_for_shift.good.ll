define spir_func i32 @f(i32 %a) {
  %r = call i32 asm "asr (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> $2", "=rw,rw,i"(i32 %a, i32 2)
  ret i32 %r
}
