define <16 x float> @f(<16 x float> %a, <16 x float> %b) {
  %r = call <16 x float> asm "mad (M1, 16) $0 $1 $2 $1", "=r,r,r"(<16 x float> %a, <16 x float> %b)
  ret <16 x float> %r
}
define <16 x i32> @g(<16 x i32> %a, <16 x i1> %p) {
  %r = call <16 x i32> asm "($2) mov (M1, 16) $0 $1", "=r,r,cr"(<16 x i32> %a, <16 x i1> %p)
  ret <16 x i32> %r
}
define <16 x i32> @h(<16 x i32> %a) {
  %r = call <16 x i32> asm "mov (M1, 16) $0 $1", "=a,a"(<16 x i32> %a)
  ret <16 x i32> %r
}
