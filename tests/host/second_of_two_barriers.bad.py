def barrier(number, threads, waits):
    text = f"nbarrier.signal {number}:ub {threads}:ub\n"
    if waits:
        text += f"nbarrier.await {number}:ub\n"
    return text
