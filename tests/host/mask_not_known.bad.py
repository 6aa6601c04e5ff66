def half(m, op):
    return f"{op} (M{m}, 8) dst(0,0)<1> src(0,0)<1;1,0> 0x1:du"
