def f(x):
    return tl.inline_asm_elementwise("mov (M1, 16) $0(2,0)<1> $1(0,0)<1;1,0>", "=rw,rw", [x], tl.uint8, True, 4)

kernel[grid](x, threads_per_warp=16)
