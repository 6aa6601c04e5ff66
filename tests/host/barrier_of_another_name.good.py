SIGNAL = "nbarrier.signal 0x1:ub 0x4:ub"
WAIT = "nbarrier.wait 0x1:ub"
SYNC = SIGNAL + "\n" + WAIT
