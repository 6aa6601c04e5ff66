MODULE = """
llvm.func @fence() {{
  llvm.inline_asm has_side_effects "lsc_fence.{unit}.evicted.{scope}", "" : () -> ()
  llvm.return
}}
"""


def module(unit, scope):
    return MODULE.format(unit=unit, scope=scope)
