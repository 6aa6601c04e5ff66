define spir_kernel void @k() {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %r = call i64 asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<0;1,0>", "=rw,rw.u"(i64 %id)
  ret void
}
