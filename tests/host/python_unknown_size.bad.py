def body(n):
    s = f"""{{
      .decl tmp v_type=G type=f num_elts={n} align=wordx32
      mul (M1, {n}) tmp(0, 0)<1> $1(0, 0)<1;1,0> 0x40490fdb:float
      mov (M1, {n}) $0(0, 0)<1> tmp(0, 0)<1;1,0>
    }}"""
    return tl.inline_asm_elementwise(s, "=rw,rw", [1.0], dtype=tl.float32, is_pure=True, pack=1)
