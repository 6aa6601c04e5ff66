def load(dst):
    return "lsc_load.ugm.{1}.ca (M1, 16) {0}:d32 flat[addr]:a64\n".format(dst, "uc")
