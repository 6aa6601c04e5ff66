class Kernels:
    """asm of the kernels"""
    scale = (
        "mul (M1, 16) $0(0,0)<1> "
        "$1(0,0)<1;1,0> 2:f"
    )

    def emit(self, tl, x):
        return tl.inline_asm_elementwise(self.scale, "=rw,rw", [x], tl.float32, True, 1)
