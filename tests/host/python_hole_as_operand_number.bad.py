def k(x, i, t):
    return tl.inline_asm_elementwise(f"add (M0, 16) ${i}(0,0)<1> ${i+1}(0,0)<1;1,0> 0x1:{t}", "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
