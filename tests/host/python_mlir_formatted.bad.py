import triton


def test_asm(tmp_path):
    ir = f"""
    #blocked = #ttg.blocked<{{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}}>
    module attributes {{"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32}} {{
      tt.func public @kernel(%x: tensor<64xi32, #blocked>) {{
        %0 = tt.elementwise_inline_asm "bfrev (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\\0Aadds (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0> 0x1:d" {{constraints = "=rw,rw", packed_element = 1 : i32, pure = true}} %x : tensor<64xi32, #blocked> -> tensor<64xi32, #blocked>
        tt.return
      }}
    }}
    """
    path = tmp_path / "k.ttgir"
    path.write_text(ir)
    triton.compile(str(path))
