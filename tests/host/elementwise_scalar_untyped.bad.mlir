module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func public @k(%arg0: i32) {
    %0 = tt.elementwise_inline_asm "not  (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\0Aadd (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0> -1" {constraints = "=rw,rw", packed_element = 1 : i32, pure = true} %arg0 : i32 -> i32
    tt.return
  }
}
