import llvmlite.binding as llvm

IR = """
target triple = "spir64-unknown-unknown"
define spir_kernel void @k(ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {{
  %y = call i32 asm sideeffect "lsc_load.ugm (M1, 16) $0:d32 flat[$1]:a46", "=rw,rw"(ptr addrspace(1) %p)
  ret void
}}
!0 = !{{i32 {simd}}}
"""

mod = llvm.parse_assembly(IR.format(simd=16))
