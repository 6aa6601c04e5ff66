#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: tensor<64xi32, #blocked>) attributes {noinline = false} {
    %0 = tt.elementwise_inline_asm "mov (M1, 32) $0(0,0)<1> $1(0,0)<1;1,0>" {constraints = "=rw,rw", packed_element = 1 : i32, pure = true} %arg1 : tensor<64xi32, #blocked> -> tensor<64xi32, #blocked>
    tt.return
  }
}
