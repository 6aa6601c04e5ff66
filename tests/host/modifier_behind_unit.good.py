def fence(unit):
    return f"lsc_fence.{unit}.evict.gpu\nmov (M1, 16) x(0,0)<1> 0x0:d"
