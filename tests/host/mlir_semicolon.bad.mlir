// -----// IR Dump After ConvertTritonGPUToLLVM (convert-triton-gpu-to-llvm) //----- //
#loc = loc("/tmp/k.py":12:0)
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu"} {
  llvm.func spir_kernelcc @k(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: !llvm.ptr<3>) attributes {intel_reqd_sub_group_size = 16 : i32} {
    %0 = llvm.mlir.constant(4 : i32) : i32
    llvm.inline_asm has_side_effects asm_dialect = att "fence_sw;barrier", "" : () -> ()
    llvm.return
  }
}
