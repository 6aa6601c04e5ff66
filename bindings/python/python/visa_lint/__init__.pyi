from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NoReturn, Optional, final

_Level = Literal["off", "pedantic", "warning", "error"]
_Language = Literal["visa", "c", "cpp", "opencl", "sycl", "llvm", "mlir", "python"]

__version__: str

@final
class Label:
    """A marked place with a few words."""

    text: str
    line: int
    column: int
    offset: int
    end_offset: int

@final
class Edit:
    """Replacement of one place; offsets count bytes of UTF-8."""

    offset: int
    end_offset: int
    text: str

@final
class Fix:
    """A change that mends the fault."""

    title: str
    certain: bool
    edits: list[Edit]

@final
class Finding:
    """One finding. Lines and columns count from 1, columns in characters; offsets count bytes of UTF-8 from 0."""

    path: str
    rule: str
    level: Literal["pedantic", "warning", "error"]
    message: str
    line: int
    column: int
    end_line: int
    end_column: int
    offset: int
    end_offset: int
    label: str
    labels: list[Label]
    notes: list[str]
    help: Optional[str]
    fix: Optional[Fix]
    document: str
    kernel: str
    platforms: list[str]
    fingerprint: str

def check(
    text: str,
    *,
    path: str = ...,
    platforms: Optional[Sequence[str]] = ...,
    pedantic: bool = ...,
    levels: Optional[Mapping[str, _Level]] = ...,
    local_size: Optional[Sequence[int]] = ...,
    slm_size: Optional[int] = ...,
    buffers: Optional[Mapping[str, int]] = ...,
    ze_info: Optional[str] = ...,
    language: _Language = ...,
    sub_group_size: Optional[int] = ...,
) -> list[Finding]:
    """Check a text of vISA, or a host source with asm statements.

    platforms: those that the program has to be right for; without them a finding holds on every platform that has all
    its instructions. levels: a level for each rule named. local_size: work-items of a group, one to three dimensions.
    slm_size: bytes of shared local memory of a group. buffers:
    bytes of arguments, variables or surfaces, by name. ze_info: what the compiler says of its kernels, as YAML text.
    sub_group_size: lanes where a host source does not say it.

    Raises ValueError if an argument names something that there is not.
    """

def check_fragment(
    template: str,
    constraints: str = ...,
    *,
    result: str = ...,
    arguments: Optional[Sequence[str]] = ...,
    sub_group_size: Optional[int] = ...,
    platforms: Optional[Sequence[str]] = ...,
    pedantic: bool = ...,
    levels: Optional[Mapping[str, _Level]] = ...,
    path: str = ...,
) -> list[Finding]:
    """Check the template of an asm statement, with its operands as LLVM IR writes them.

    In the template operands are `$0`, `$1`; constraints are such as `"=rw,rw"`; result and arguments are types such as
    `"i32"` or `"<2 x float>"`. Places of findings are those of the template.
    """

def explain(name: Optional[str] = ...) -> str:
    """The page of a rule or an instruction; without a name the list of both. Raises ValueError if there is none."""

def instructions() -> list[dict[str, Any]]:
    """Every instruction of the specification."""

def rules() -> list[dict[str, Any]]:
    """Every rule."""

def fix(
    text: str,
    *,
    platforms: Optional[Sequence[str]] = ...,
    pedantic: bool = ...,
    levels: Optional[Mapping[str, _Level]] = ...,
    language: _Language = ...,
    sub_group_size: Optional[int] = ...,
) -> tuple[str, int]:
    """Apply the fixes that are certain: the new text, and how many findings were mended."""

def rows(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Findings as a list of dictionaries of plain values, for tables."""

def main() -> NoReturn:
    """Run the command line and exit."""
