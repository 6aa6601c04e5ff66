def guarded(body, predicate):
    return body + f"(!{predicate}) jmp (M1, 1) SKIP\n" + "SKIP:\n"
