OPS = {n: f"{n} (M1, 16) $0(0,0)<1> $1(0,0)<1>" for n in ("exp", "log")}
