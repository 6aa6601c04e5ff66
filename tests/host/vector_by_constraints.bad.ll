define <16 x float> @f(<16 x float> %a, <16 x float> %b) {
  %r = call <16 x float> asm "madd (M1, 16) $0 $1 $2 $1", "=r,r,r"(<16 x float> %a, <16 x float> %b)
  ret <16 x float> %r
}
