# Dumps that a program prints or writes.
lines = []
for i in range(2):
    print(".version 4.2")
print(".kernel \"k\"", end="\n")
print("mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>", file=out)
out.write(".version 4.2\n.kernel \"k\"\nret (M1, 1)\n")
out.write(".version 4.2\n" + ".kernel \"k\"\n" + "ret (M1, 1)\n")
out.write(f".version 4.2\n.kernel \"k{i}\"\nret (M1, 1)\n")
open("a.visaasm", "w").write("""
.version 4.2
.kernel "k"
.function "k_0"
k_0:
    ret (M1, 1)
""")
text = """.version 4.2
.kernel "k"
.function "k_0"
k_0:
    mov (M1, 16) %null(0,0)<1> 0x0:d
    ret (M1, 1)
"""
Path("b.visaasm").write_text(text)
Path("b.visaasm").write_text(".version 4.2\n" + text.replace("k", "l"))
