def emit_kernel(out, n):
    out.append("define spir_kernel void @k(ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {")
    out.append("  %v = load i32, ptr addrspace(1) %p")
    for i in range(n):
        out.append(f'  %r{i} = call i32 asm sideeffect "add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x{i:x}:d", "=rw,rw"(i32 %v)')
    out.append("  ret void")
    out.append("}")
