def guarded(body, predicate):
    return body + f"(!{predicate}) jump (M1, 1) SKIP\n" + "SKIP:\n"
