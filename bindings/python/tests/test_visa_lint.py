"""The module as a user calls it. Run with pytest after `pip install` of the wheel."""

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import visa_lint

EXAMPLES = Path(__file__).parent.parent / "examples"
HEAD = '.version 4.1\n.kernel "k"\n.kernel_attr Target="cm"\n.function "m"\nm:\n'
GOOD = HEAD + "    ret (M1, 1)\n"
BAD = HEAD + "    rett (M1, 1)\n    ret (M1, 1)\n"


def rules_of(findings):
    return [finding.rule for finding in findings]


def test_findings_hold_what_json_reports_hold():
    assert visa_lint.check(GOOD) == []
    (finding,) = visa_lint.check(BAD, path="a.visaasm")
    assert (finding.path, finding.line, finding.column, finding.end_column) == ("a.visaasm", 6, 5, 9)
    assert (finding.rule, finding.level, finding.kernel) == ("unknown-instruction", "error", "k")
    assert BAD.encode()[finding.offset : finding.end_offset] == b"rett"
    assert finding.fix.edits[0].text == "ret"
    assert len(finding.fingerprint) == 32
    assert str(finding).startswith("a.visaasm:6:5: error[unknown-instruction]")
    assert finding == visa_lint.check(BAD, path="a.visaasm")[0]
    assert len({finding, visa_lint.check(BAD, path="b.visaasm")[0]}) == 2
    with pytest.raises(AttributeError):
        finding.line = 1


def test_options_are_those_of_the_command():
    fence = GOOD.replace("    ret", "    lsc_fence.ugm.none.group\n    ret")
    assert "unsupported-instruction" in rules_of(visa_lint.check(fence, platforms=["skl"]))
    assert visa_lint.check(fence, platforms=["dg2", "PVC"]) == []
    assert visa_lint.check(BAD, levels={"unknown-instruction": "off"}) == []
    (warning,) = visa_lint.check(BAD, levels={"unknown-instruction": "warning"})
    assert warning.level == "warning"
    store = HEAD.replace(
        ".function",
        ".decl V32 v_type=G type=ud num_elts=16 align=GRF\n.decl V33 v_type=G type=ud num_elts=16 align=GRF\n.function",
    )
    store += "    mov (M1, 16) V32(0,0)<1> 0x80:ud\n    mov (M1, 16) V33(0,0)<1> 0x1:ud\n"
    store += "    lsc_store.slm (M1, 16) flat[V32]:a32 V33:d32\n    ret (M1, 1)\n"
    assert "slm-out-of-bounds" in rules_of(visa_lint.check(store, slm_size=64))
    info = "kernels:\n  - name: k\n    execution_env:\n      slm_size: 64\n"
    assert "slm-out-of-bounds" in rules_of(visa_lint.check(store, ze_info=info))
    assert "slm-out-of-bounds" not in rules_of(visa_lint.check(store, slm_size=4096))
    lanes = HEAD.replace(
        ".function",
        ".kernel_attr SimdSize=8\n.decl V32 v_type=G type=ud num_elts=16 align=GRF\n.function",
    ).replace('"cm"', '"3d"')
    lanes += "    mov (M1_NM, 8) V32(0,0)<1> 0x76543210:uv\n    shl (M1_NM, 8) V32(0,0)<1> V32(0,0)<1;1,0> 0x2:ud\n"
    lanes += "    lsc_store.ugm (M1_NM, 8) bti(0x3)[V32]:a32 V32:d32\n    ret (M1, 1)\n"
    wanted = {"platforms": ["dg2"], "local_size": [8]}
    assert "buffer-out-of-bounds" in rules_of(visa_lint.check(lanes, buffers={"bti3": 16}, **wanted))
    assert "buffer-out-of-bounds" not in rules_of(visa_lint.check(lanes, buffers={"bti3": 32}, **wanted))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"platforms": ["DG3"]}, "did you mean `DG2`"),
        ({"levels": {"unknown-instructoin": "off"}}, "did you mean `unknown-instruction`"),
        ({"levels": {"unknown-instruction": "loud"}}, "no level"),
        ({"language": "pascal"}, "no language"),
        ({"local_size": [0]}, "at least 1"),
        ({"sub_group_size": 12}, "8, 16 or 32"),
        ({"ze_info": "kernels: 3"}, "not what a compiler says"),
    ],
)
def test_wrong_arguments_are_value_errors(arguments, words):
    with pytest.raises(ValueError, match=words):
        visa_lint.check(GOOD, **arguments)


def test_host_sources_and_fragments():
    source = 'void f(int a) { __asm__ volatile("rett (M1, 16) %0\\n" :: "rw"(a)); }\n'
    (finding,) = [f for f in visa_lint.check(source, language="c", sub_group_size=16) if f.rule == "unknown-instruction"]
    assert source.encode()[finding.offset : finding.end_offset] == b"rett"
    load = "lsc_load.ugm (M1, 16) $0:d32 flat[$1]:a64"
    good = {"constraints": "=rw,rw", "result": "i32", "arguments": ["i64"], "sub_group_size": 16, "platforms": ["dg2"]}
    assert visa_lint.check_fragment(load, **good) == []
    wide = load.replace("d32", "d32x4")
    findings = visa_lint.check_fragment("// \"first\"\n" + wide, **good)
    assert rules_of(findings) == ["operand-out-of-bounds"]
    assert findings[0].line == 2
    assert ("// \"first\"\n" + wide)[findings[0].offset : findings[0].end_offset] == "$0"
    with pytest.raises(ValueError, match="quotes"):
        visa_lint.check_fragment(load, 'a"b')


def test_pages_tables_and_fixes():
    assert visa_lint.explain("empty-channel-mask").startswith("empty-channel-mask\n")
    assert "scatter4_scaled" in visa_lint.explain()
    with pytest.raises(ValueError, match="did you mean `scatter4_scaled`"):
        visa_lint.explain("scater4_scaled")
    assert any(row["mnemonic"] == "scatter4_scaled" for row in visa_lint.instructions())
    assert any(row["name"] == "empty-channel-mask" for row in visa_lint.rules())
    assert visa_lint.fix(GOOD) == (GOOD, 0)
    fixed, n_fixed = visa_lint.fix(GOOD.replace("ret (M1", "RET (M1"))
    assert (fixed, n_fixed) == (GOOD, 1)
    (row,) = visa_lint.rows(visa_lint.check(BAD))
    assert row["rule"] == "unknown-instruction" and all(isinstance(v, (str, int, type(None))) for v in row.values())


def test_other_threads_run_meanwhile():
    body = "    rett (M1, 1)\n" * 200_000
    ticks = 0
    done = threading.Event()

    def work():
        visa_lint.check(HEAD + body)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        ticks += 1
        time.sleep(0.001)
    thread.join()
    assert ticks > 5, "the interpreter was held"


def example(name, *arguments):
    file = EXAMPLES / f"{name}.py"
    return subprocess.run([sys.executable, file, *arguments], capture_output=True, text=True, check=True).stdout


def test_examples_drop_what_is_illegal(tmp_path):
    generated = example("generator")
    assert "12 lanes: `12` is not an execution size" in generated
    assert generated.endswith("to compile: [4, 8, 16, 32]\n")
    tuned = example("autotuner").splitlines()
    assert tuned[0].startswith("dg2: 9 of 18: [(1, 8), (1, 16), (2, 8)")
    assert tuned[1].startswith("pvc: 10 of 18: [(1, 8), (1, 16), (1, 32), (2, 16)")
    (tmp_path / "bad.visaasm").write_text(BAD)
    (tmp_path / "good.visaasm").write_text(GOOD)
    assert example("table", str(tmp_path)).split()[-4:] == ["error", "unknown-instruction", "1", "1"]


def test_the_command_is_the_command(tmp_path):
    (tmp_path / "bad.visaasm").write_text(BAD)
    command = [sys.executable, "-m", "visa_lint", "--format", "short", "bad.visaasm"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout.startswith("bad.visaasm:6:5: error[unknown-instruction]: unknown instruction `rett`")
    assert visa_lint.__version__ in subprocess.run(
        [sys.executable, "-m", "visa_lint", "--version"], capture_output=True, text=True, check=True
    ).stdout
