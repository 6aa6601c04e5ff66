# A statement of another machine, whose text is put together.
    if 'gfx11' in target_arch:
        asm_str = """s_sendmsg_rtn_b64 $0, sendmsg(MSG_RTN_GET_REALTIME)
                     s_waitcnt lgkmcnt(0)"""
    return core.inline_asm_elementwise(
        asm_str,
    return tl.inline_asm_elementwise(asm, "=rw,rw", [a], dtype=tl.int32, is_pure=True, pack=1)
