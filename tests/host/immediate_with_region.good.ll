define spir_kernel void @k(ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %o = call i32 asm alignstack "mov (M1, 16) $0(0,0)<1> $1", "=rw,i"(i32 42)
  store i32 %o, ptr addrspace(1) %p
  ret void
}
!0 = !{i32 16}
