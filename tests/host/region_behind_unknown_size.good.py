def make(simd):
    text = """
    mov (M1, {simd}) {dst}(0,0)<1> {src}(0,0)<1;1,0>
    """.format(simd=simd, dst="$0", src="$1")
    return text
