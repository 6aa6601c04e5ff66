def gather(emit, bar):
    emit("nbarrier.signal 0x1:ub 0x4:ub 0x4:ub 0x1:ub 0x1:ub")
    emit(f"nbarrier.wait 0x{bar:x}:ub")
