# Pairs in parentheses behind a word are no execution masks and sizes.
LINE = "mov (M1, 16) dst(0,0)<1> src(0,0)<1;1,0>\n"
def report(a, b, c):
    print(f"mul ({a}, 2) = {c}.")
    print("add (%s, 17) to %s: %d" % (a, b, c))
    print("cmp (%s, %s) [%d]" % (a, b, c))
    return "move ({}, 12) is {}".format(a, b)
def fill(text, sizes):
    return [text.replace("16", str(n)) for n in sizes]
