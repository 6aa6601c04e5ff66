import triton.language as tl

def narrow(x):
    return tl.inline_asm_elementwise("mov (M1, 16) $0(0,32)<1> $1(0,0)<1;1,0>", "=rw,rw", [x], tl.float8e5, True, 4)

def launch(kernel, grid, x):
    kernel[grid](x, **{"num_warps": 4, "threads_per_warp": 16})
