define dllexport spir_kernel void @k(<16 x i32> %a, <16 x i32> %b) #0 {
  %r = call <16 x i32> asm sideeffect "and.sat (M1, 16) $0 $1 $2", "=r,r,r"(<16 x i32> %a, <16 x i32> %b)
  ret void
}
attributes #0 = { "CMGenxMain" }
