"""An autotuner in the manner of Triton's: configurations whose asm statement is illegal are dropped, not compiled."""

from dataclasses import dataclass
from itertools import product

import visa_lint


@dataclass(frozen=True)
class Config:
    """How many elements each lane loads with one message, and the lanes of a sub-group."""

    elements: int
    sub_group_size: int

    def statement(self) -> tuple[str, str, str]:
        """The template, the constraints and the type of the result, as `inline_asm_elementwise` would get them."""
        load = f"lsc_load.ugm (M1, {self.sub_group_size}) $0:d32x{self.elements} flat[$1]:a64"
        result = "i32" if self.elements == 1 else f"<{self.elements} x i32>"
        return load, "=rw,rw", result


def is_legal(config: Config, platform: str) -> bool:
    template, constraints, result = config.statement()
    return not visa_lint.check_fragment(
        template,
        constraints,
        result=result,
        arguments=["i64"],
        sub_group_size=config.sub_group_size,
        platforms=[platform],
    )


if __name__ == "__main__":
    for platform in ("dg2", "pvc"):
        configs = [Config(*sizes) for sizes in product((1, 2, 3, 4, 5, 8), (8, 16, 32))]
        kept = [(c.elements, c.sub_group_size) for c in configs if is_legal(c, platform)]
        print(f"{platform}: {len(kept)} of {len(configs)}: {kept}")
