def barrier(number, threads, waits):
    text = f"nbarrier.signal {number}:ub {threads}:ub\n"
    if waits:
        text += f"nbarrier.wait {number}:ub\n"
    return text
