#!/usr/bin/env python3
"""Write random OpenCL C kernels, for field.py to compile and check.

The kernels are legal: indices stay inside of arrays, each work-item writes elements of its own, barriers and functions of the
sub-group stand where all work-items come, and loops end. What visa-lint says of the dumps is therefore a false alarm, or a
fault of the compiler: look at which it is.
"""

import argparse
import pathlib
import random
import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

BITS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64}
"""The integers, with their bits."""
UNSIGNED = {name: name if name.startswith("u") else f"u{name}" for name in BITS}
FLOATS = ("float", "half", "double")
SIZE = 256
"""Elements of the array in shared local memory, and the most work-items of a group."""

INTEGERS = (
    *("{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} & {b}", "{a} | {b}", "{a} ^ {b}", "-{a}", "~{a}", "!{a}"),
    *("{a} << ({b} & {last})", "{a} >> ({b} & {last})", "{a} >> {shift}"),
    *("({u}){a} / (({u}){b} | 1)", "({u}){a} % (({u}){b} | 1)", "{a} / {small}", "{a} % {small}"),
    *("min({a}, {b})", "max({a}, {b})", "abs_diff({a}, {b})", "hadd({a}, {b})", "rhadd({a}, {b})", "mul_hi({a}, {b})"),
    *("add_sat({a}, {b})", "sub_sat({a}, {b})", "mad_sat({a}, {b}, {c})", "mad_hi({a}, {b}, {c})", "rotate({a}, {b})"),
    *("clz({a})", "popcount({a})", "bitselect({a}, {b}, {c})", "clamp({a}, ({t})3, ({t})90)", "{a} < {b}"),
)
"""What is computed of integers: `{a}` to `{c}` are expressions of their type `{t}`, `{u}` is its unsigned one."""
REALS = (
    *("{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} / {b}", "-{a}", "fma({a}, {b}, {c})", "mad({a}, {b}, {c})"),
    *("fmin({a}, {b})", "fmax({a}, {b})", "fmod({a}, {b})", "copysign({a}, {b})", "mix({a}, {b}, ({t})0.5f)"),
    *("floor({a})", "ceil({a})", "trunc({a})", "rint({a})", "fabs({a})", "sqrt({a})", "clamp({a}, ({t})0, ({t})1)"),
)
SINGLES = ("native_exp2({a})", "native_log2({a})", "native_sin({a})", "native_recip({a})", "exp({a})", "log({a})", "cos({a})")
OF_THE_SUB_GROUP = (
    *("sub_group_reduce_add({a})", "sub_group_reduce_min({a})", "sub_group_scan_inclusive_add({a})"),
    *("sub_group_scan_exclusive_max({a})", "sub_group_broadcast({a}, {lane})", "intel_sub_group_shuffle({a}, {lane})"),
    *("intel_sub_group_shuffle({a}, (uint){b} & {last_lane})", "intel_sub_group_shuffle_xor({a}, {lane})"),
    *("intel_sub_group_shuffle_down({a}, {b}, {lane})", "intel_sub_group_shuffle_up({a}, {b}, {lane})"),
)
NUMBERS = ("gid", "lid", "get_group_id(0)", "get_local_size(0)", "n", "m")
"""Unsigned numbers that every kernel has."""
CONVERSIONS = ("_sat", "_sat_rte", "_sat_rtz", "_sat_rtp", "_sat_rtn")


Made = TypeVar("Made")


class Parts(dict[str, str]):
    """What a pattern may name: the given parts, and expressions that are made when they are needed."""

    def __init__(self, make: Callable[[], str], **given: str) -> None:
        super().__init__(**given)
        self.make = make

    def __missing__(self, key: str) -> str:
        return self.make()


class Kernel:
    """A kernel that is being written."""

    def __init__(self, seed: int, has_double: bool = False, sub_group: int = 0) -> None:
        self.random = random.Random(seed)
        self.sub_group = sub_group
        """Lanes that the kernel demands; none if it does not care."""
        self.types = [*BITS, "float", "float", "half", "int", "uint", *(["double"] if has_double else [])]
        self.has_double = has_double
        self.n_names = 0
        self.n_loops = 0
        self.variables: list[tuple[str, str]] = []
        """Names and types of what can be assigned."""
        self.read_only: list[tuple[str, str]] = []
        self.arrays: list[tuple[str, str, int]] = []
        self.is_common = True
        """Whether all work-items come here."""

    def name(self, prefix: str) -> str:
        self.n_names += 1
        return f"{prefix}{self.n_names}"

    def one_of(self, all_of_them: Sequence[str]) -> str:
        return self.random.choice(all_of_them)

    def apart(self, make: Callable[[], Made], is_common: bool = False) -> Made:
        """Makes what some work-items may leave out, unless all of them come here and `is_common` says that they go on."""
        before = self.is_common
        self.is_common = before and is_common
        made = make()
        self.is_common = before
        return made

    # Expressions

    def literal(self, of: str) -> str:
        if of not in BITS:
            return f"({of}){self.one_of(('1.0f', '0.5f', '-2.0f', '3.25f', '0.0f', '1e-3f', '100.0f'))}"
        greatest = (1 << (BITS[of] - 1)) - 1
        value = self.random.choice((0, 1, 2, 3, 7, 15, 16, 31, 255, 4095, greatest, self.random.getrandbits(63))) & greatest
        sign = "-" if of == "int" and self.random.random() < 0.2 else ""
        return f"({of}){sign}{value}{'L' if BITS[of] == 64 else ''}"

    def converted(self, text: str, given: str, to: str) -> str:
        if given in FLOATS and to in BITS:
            return f"convert_{to}{self.one_of(CONVERSIONS)}({text})"
        return f"({to})({text})"

    def leaf(self, of: str) -> str:
        known = self.variables + self.read_only
        if known and self.random.random() < 0.7:
            same = [name for name, given in known if given == of]
            if same and self.random.random() < 0.7:
                return self.one_of(same)
            return self.converted(*self.random.choice(known), of)
        return self.converted(self.one_of(NUMBERS), "uint", of) if self.random.random() < 0.4 else self.literal(of)

    def condition(self, depth: int) -> str:
        of = self.one_of(self.types)
        first, second = self.expression(of, depth - 1), self.expression(of, depth - 1)
        compared = f"({first} {self.one_of(('<', '<=', '>', '>=', '==', '!='))} {second})"
        if depth > 1 and self.random.random() < 0.3:
            other = self.apart(lambda: self.condition(depth - 1))
            return f"({compared} {self.one_of(('&&', '||'))} {other})"
        return compared

    def index(self, n: int, depth: int = 1) -> str:
        """A number below n."""
        number = self.expression("uint", depth)
        power = f"({number} & {n - 1}u)" if n & (n - 1) == 0 else f"({number} % {n}u)"
        return self.one_of((str(self.random.randrange(n)), power, f"({number} % {n}u)", f"min({number}, {n - 1}u)"))

    def expression(self, of: str, depth: int) -> str:
        kind = self.random.random()
        if depth <= 0 or kind < 0.12:
            return self.leaf(of)
        if kind < 0.2:
            given = self.one_of(self.types)
            return self.converted(self.expression(given, depth - 1), given, of)
        if kind < 0.27:
            condition = self.condition(depth - 1)
            first, second = (self.apart(lambda: self.expression(of, depth - 1)) for _ in range(2))
            return f"({of})({condition} ? {first} : {second})"
        own = [(name, n) for name, given, n in self.arrays if given == of]
        if own and kind < 0.35:
            name, n = self.random.choice(own)
            return f"{name}[{self.index(n, depth - 1)}]"
        patterns: tuple[str, ...] = INTEGERS if of in BITS else REALS + (SINGLES if of == "float" else ())
        if self.sub_group and self.is_common and of in ("int", "uint", "long", "ulong", "float") and kind < 0.45:
            patterns = OF_THE_SUB_GROUP
        bits = BITS.get(of, 32)
        shift, small = str(self.random.randrange(bits)), str(self.random.choice((3, 5, 7, 10, 100)))
        lanes = max(self.sub_group, 1)
        given_parts = {"t": of, "u": UNSIGNED.get(of, of), "last": str(bits - 1), "shift": shift, "small": small}
        given_parts |= {"lane": str(self.random.randrange(lanes)), "last_lane": f"{lanes - 1}u"}
        parts = Parts(lambda: f"({of})({self.expression(of, depth - 1)})", **given_parts)
        return f"({of})({self.one_of(patterns).format_map(parts)})"

    # Statements

    def declared(self, of: str, text: str, prefix: str = "v") -> str:
        name = self.name(prefix)
        self.variables.append((name, of))
        return f"{of} {name} = {text};"

    def declaration(self) -> list[str]:
        of = self.one_of(self.types)
        return [self.declared(of, self.expression(of, 3))]

    def assignment(self) -> list[str]:
        if not self.variables:
            return self.declaration()
        name, of = self.random.choice(self.variables)
        return [f"{name} {self.one_of(('=', '=', '+=', '-='))} {self.expression(of, 3)};"]

    def private_array(self) -> list[str]:
        of, n = self.one_of(self.types), self.random.choice((2, 3, 4, 5, 8, 16, 32, 64))
        name, i = self.name("a"), self.name("i")
        self.arrays.append((name, of, n))
        lines = [f"{of} {name}[{n}];", f"for (uint {i} = 0; {i} < {n}; ++{i}) {name}[{i}] = ({of})({i} * 3 + gid);"]
        return [*lines, f"{name}[{self.index(n, 2)}] = {self.expression(of, 2)};"]

    def record(self) -> list[str]:
        name = self.name("s")
        lines = [f"struct {{ char a; int b; short c[3]; float4 d; ulong e; }} {name};"]
        fields = (("a", "char"), ("b", "int"), ("e", "ulong"))
        lines += [f"{name}.{field} = {self.expression(of, 1)};" for field, of in fields]
        lines.append(f"{name}.d = (float4)({self.expression('float', 1)});")
        lines.append(f"{name}.c[0] = {name}.c[1] = {name}.c[2] = 1;")
        lines.append(f"{name}.c[{self.index(3)}] = {self.expression('short', 1)};")
        return [*lines, self.declared("float", f"{name}.d.y + {name}.c[{self.index(3)}] + {name}.a + {name}.b")]

    def memory(self) -> list[str]:
        of = self.one_of(self.types)
        if self.random.random() < 0.5:
            return [f"own_{of}[gid] = {self.expression(of, 2)};"]
        at = self.one_of(("gid", f"gid + {self.random.randrange(9)}", f"gid * {self.random.choice((2, 3, 4))}", "n"))
        at = self.one_of((at, self.index(1024)))
        return [self.declared(of, self.one_of((f"own_{of}[gid]", f"in_{of}[{at}]")))]

    def vector(self) -> list[str]:
        of, n = self.one_of(("int", "uint", "float", "short", "uchar", "ulong")), self.random.choice((2, 3, 4, 8, 16))
        name = self.name("w")
        swizzle = "".join(f"{self.random.randrange(n):x}" for _ in range(n))
        lines = [f"{of}{n} {name} = vload{n}(gid, in_{of});"]
        lines.append(f"{name} = {name} * {name} + ({of}{n})({self.expression(of, 1)});")
        lines += [f"{name}.s{self.random.randrange(n):x} = {self.expression(of, 1)};", f"{name} = {name}.s{swizzle};"]
        of_vector = f"{name}.s{self.random.randrange(n):x}"
        return [*lines, self.declared(of, self.one_of((of_vector, f"(({of} *)&{name})[{self.index(n)}]")))]

    def atomic(self) -> list[str]:
        of = self.one_of(("int", "uint"))
        function = self.one_of(("add", "sub", "min", "max", "and", "or", "xor", "xchg"))
        return [self.declared(of, f"atomic_{function}(&counts_{of}[{self.index(64)}], {self.expression(of, 1)})")]

    def exchange(self) -> list[str]:
        """A value of another work-item, through shared local memory."""
        if not self.is_common:
            return self.assignment()
        there = f"shared[(lid + {self.random.randrange(1, 64)}) & {SIZE - 1}u]"
        lines = [f"shared[lid] = {self.expression('int', 1)};", "barrier(CLK_LOCAL_MEM_FENCE);"]
        return [*lines, self.declared("int", there), "barrier(CLK_LOCAL_MEM_FENCE);"]

    def block_read(self) -> list[str]:
        if not self.is_common or not self.sub_group:
            return self.memory()
        of, suffix = self.random.choice((("uint", ""), ("ushort", "_us"), ("ulong", "_ul")))
        n = self.one_of(("", "2", "4"))
        read = f"intel_sub_group_block_read{suffix}{n}(in_{of} + get_group_id(0) * {SIZE})"
        return [self.declared(of, f"{read}{'.s1' if n else ''}")]

    def image(self) -> list[str]:
        at = f"(int2)({self.index(64)}, {self.index(64)})"
        return [self.declared("float", f"read_imagef(image, {self.one_of(('nearest, ', ''))}{at}).{self.one_of('xyzw')}")]

    def call(self) -> list[str]:
        arguments = f"{self.expression('int', 1)}, {self.expression('float', 1)}"
        return [self.declared("float", f"{self.one_of(('other', 'inlined'))}({arguments})")]

    def pointer(self) -> list[str]:
        return [self.declared("int", f"({self.condition(1)} ? in_int + 16 : in_int)[{self.index(64)}]")]

    def block(self, depth: int, is_common: bool = False) -> list[str]:
        """Statements in braces."""
        known = len(self.variables), len(self.arrays)
        lines = self.apart(lambda: self.statements(self.random.randrange(1, 5), depth), is_common)
        del self.variables[known[0] :], self.arrays[known[1] :]
        return [f"  {line}" for line in lines]

    def branch(self, depth: int) -> list[str]:
        lines = [f"if ({self.condition(2)}) {{", *self.block(depth - 1)]
        if self.random.random() < 0.5:
            lines += ["} else {", *self.block(depth - 1)]
        return [*lines, "}"]

    def switch(self, depth: int) -> list[str]:
        lines = [f"switch ({self.expression('int', 2)} & 7) {{"]
        for case in self.random.sample(range(8), self.random.randrange(2, 7)):
            lines += [f"case {case}: {{", *self.block(depth - 1), f"}} {self.one_of(('break;', 'break;', ''))}"]
        return [*lines, "default: break;", "}"]

    def loop(self, depth: int) -> list[str]:
        self.n_loops += 1
        i, limit = self.name("i"), self.one_of(("n", "m", "8u", "17u", "lid", "64u", "(n & 31u)", "min(n, 9u)"))
        first, step = self.one_of(("0", "1", "lid", "3")), self.one_of(("1", "2", "3", "8", "get_local_size(0)"))
        leaves = self.random.random() < 0.3
        self.read_only.append((i, "uint"))
        body = self.block(depth - 1, not leaves and "lid" not in (limit, first))
        self.read_only.pop()
        leave = [f"  if (in_int[n] > (int){i}) {self.one_of(('break', 'continue'))};"] if leaves else []
        shape = self.random.randrange(4)
        if shape == 0:
            return [f"for (uint {i} = 16; {i} > 0; {i} >>= 1) {{", *body, *leave, "}"]
        if shape == 1:
            less = self.one_of((f"--{i}", f"{i} /= 3"))
            return [f"uint {i} = {limit};", f"while ({i} > 0) {{", f"  {less};", *body, *leave, "}"]
        if shape == 2:
            return [f"uint {i} = 0;", "do {", f"  {i} += {self.one_of('13')};", *body, *leave, f"}} while ({i} < {limit});"]
        return [f"for (uint {i} = {first}; {i} < {limit}; {i} += {step}) {{", *body, *leave, "}"]

    def statements(self, n: int, depth: int) -> list[str]:
        plain = [self.declaration, self.assignment, self.assignment, self.memory, self.memory, self.private_array, self.record]
        plain += [self.vector, self.atomic, self.exchange, self.block_read, self.image, self.call, self.pointer]
        nested = [self.branch, self.loop, self.switch, self.branch, self.loop]
        lines = []
        for _ in range(n):
            if depth > 0 and self.n_loops < 6 and self.random.random() < 0.25:
                lines += self.random.choice(nested)(depth)
            else:
                lines += self.random.choice(plain)()
        return lines

    def function(self, name: str, attribute: str) -> list[str]:
        """A function of its own, which knows only what it is given."""
        known, self.variables = self.variables, [("a", "int"), ("b", "float")]
        head = [f"{attribute}float {name}(int a, float b) {{", "  uint gid = a, lid = a & 15, n = a & 63, m = a & 7;"]
        lines = self.apart(lambda: [*self.declaration(), *self.declaration(), f"return {self.expression('float', 2)};"])
        self.variables = known
        return [*head, *(f"  {line}" for line in lines), "}"]

    def text(self) -> str:
        """The source."""
        lines = ["#pragma OPENCL EXTENSION cl_khr_fp16 : enable"]
        if self.has_double:
            lines.append("#pragma OPENCL EXTENSION cl_khr_fp64 : enable")
        lines.append("constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;")
        lines += self.function("inlined", "") + self.function("other", "__attribute__((noinline)) ")
        types = list(dict.fromkeys(self.types))
        arguments = [f"global {of} *own_{of}, global const {of} *in_{of}" for of in types]
        arguments += ["global int *counts_int", "global uint *counts_uint", "uint n", "uint m"]
        body = self.statements(self.random.randrange(4, 12), self.random.randrange(1, 4))
        body += [f"own_float[gid] += (float){name};" for name, _ in self.variables]
        # An image that is not read changes the numbers of all surfaces.
        if any("read_imagef" in line for line in body):
            arguments.append("read_only image2d_t image")
        size = self.one_of(("", "", "__attribute__((reqd_work_group_size(64, 1, 1))) "))
        sub_group = f"__attribute__((intel_reqd_sub_group_size({self.sub_group}))) " if self.sub_group else ""
        lines.append(f"{size}{sub_group}kernel void random({', '.join(arguments)}) {{")
        lines += [f"  local int shared[{SIZE}];", "  uint gid = get_global_id(0), lid = get_local_id(0);"]
        lines += [f"  for (uint i = lid; i < {SIZE}; i += get_local_size(0)) shared[i] = 0;", "  barrier(CLK_LOCAL_MEM_FENCE);"]
        return "\n".join([*lines, *(f"  {line}" for line in body), "}", ""])


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="where the kernels go")
    parser.add_argument("--count", type=int, default=100, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="of the first one")
    parser.add_argument("--double", action="store_true", help="for devices that have 64-bit floats")
    parser.add_argument("--sub-group", type=int, default=0, choices=(0, 8, 16, 32), help="lanes that the kernels demand")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for seed in range(given.seed, given.seed + given.count):
        path = given.folder / f"random_{seed}.cl"
        path.write_text(Kernel(seed, given.double, given.sub_group).text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
