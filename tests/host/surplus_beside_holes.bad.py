class Barrier:
    SIGNAL = "nbarrier.signal {id}:ub {n}:ub"
    WAIT = "nbarrier.wait {id}:ub {n}:ub"
