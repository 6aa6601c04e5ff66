from string import Template

TEXT = Template("""{
.decl Q v_type=P num_elts=16
cmp.lt (M1, 16) Q ${a}(0,0)<1;1,0> 0x0:d
(Q) sel (M1, 16) ${d}(0,0)<1> ${a}(0,0)<1;1,0> 0x1:d
}""")


def build():
    return TEXT.substitute(a="{0}", d="{1}").format("$1", "$0")
