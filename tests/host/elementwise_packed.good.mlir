#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func public @k(%arg0: tensor<256xi8, #blocked>) {
    %0 = tt.elementwise_inline_asm "{\0A  .decl b v_type=G type=ub num_elts=64 alias=<$2, 0>\0A  mov (M1, 16) $0(0,0)<1> $2(0,0)<1;1,0>\0A  mov (M1, 16) $1(0,0)<1> $2(0,0)<1;1,0>\0A}" {constraints = "=rw,=rw,rw", packed_element = 4 : i32, pure = true} %arg0 : tensor<256xi8, #blocked> -> tensor<256xf16, #blocked>
    tt.return
  }
}
