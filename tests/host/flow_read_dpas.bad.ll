target triple = "spir64-unknown-unknown"

define spir_kernel void @test(<8 x float> %c, <4 x i32> %a, <8 x i32> %b, <8 x float> addrspace(1)* %o0) #0 !intel_reqd_sub_group_size !7 {
entry:
  %res = call <8 x float> asm sideeffect "dpas.bf.bf.8.8 (M1, 16) $0.0 $0.0 $3.0 $2(0,0)", "=rw,rw,rw,rw"(<8 x float> %c, <4 x i32> %a, <8 x i32> %b)
  store <8 x float> %res, <8 x float> addrspace(1)* %o0, align 4
  ret void
}

attributes #0 = { nounwind }
!7 = !{i32 16}
