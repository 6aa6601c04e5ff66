def gather(emit, bar):
    emit("nbarrier.signal 0x1:ub 0x0:uw 0x4:ub 0x4:ub")
    emit(f"nbarrier.wait 0x{bar:x}:ub")
    emit("nbarrier.wait {}:ub".format(bar))
    emit("wait for the barrier")
    print("nbarrier.wait is not known here")
