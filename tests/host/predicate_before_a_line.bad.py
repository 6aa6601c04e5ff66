def emit(write, predicate):
    write(predicate, "sel (M1, 16) V41(0,0)<1> V42(0,0)<1;1,0> V43(0,0)<1;1,0>")
    write("mov (M1, 16) V40(0,0)<1> V41(0,0)<1;1,0>\nsel (M1, 16) V41(0,0)<1> V42(0,0)<1;1,0> V43(0,0)<1;1,0>")
