target triple = "spir64-unknown-unknown"

define spir_kernel void @k(ptr addrspace(1) %a, i64 %n) !intel_reqd_sub_group_size !0 {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %t = trunc i64 %g to i32
  %u = trunc i64 %n to i32
  %s = add nsw i32 %t, 4
  call void asm sideeffect "lsc_store.ugm (M1, 16) flat[$0]:a64 $1:d32", "rw,rw"(ptr addrspace(1) %a, i32 %u)
  %w = call i32 asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<0;1,0>", "=rw,rw.u"(i32 %s)
  ret void
}
declare spir_func i64 @_Z13get_global_idj(i32)

!0 = !{i32 16}
