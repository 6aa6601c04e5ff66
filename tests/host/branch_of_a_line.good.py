def load(is_cached, n):
    text = "lsc_load.ugm"
    if is_cached:
        text += ".ca.ca"
    else:
        text += ".uc.uc"
    text += f" (M1, {n}) $0:d32 flat[$1]:a64\n"
    return text
