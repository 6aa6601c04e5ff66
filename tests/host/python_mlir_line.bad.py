def emit(lines, i):
    lines.append(f'  %r{i} = llvm.inline_asm has_side_effects "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1>", "=rw,rw" %a : (i32) -> i32')
    lines.append("  llvm.return")
