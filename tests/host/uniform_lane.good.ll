target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

define spir_kernel void @k(ptr addrspace(1) %a, i32 %s) #0 !intel_reqd_sub_group_size !7 {
entry:
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p, align 4
  %l = call spir_func i32 @_Z22get_sub_group_local_idv()
  %r = call i32 asm sideeffect "mov (M1, 16) $0(0,0)<1> $1(0,0)<0;1,0>", "=rw,rw.u"(i32 %s)
  store i32 %r, ptr addrspace(1) %p, align 4
  ret void
}

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i32 @_Z22get_sub_group_local_idv()
attributes #0 = { convergent nounwind "uniform-work-group-size"="true" }
!7 = !{i32 16}
