def gather(emit, bar):
    emit(f"nbarrier.wait 0x{bar:x}:ub")
