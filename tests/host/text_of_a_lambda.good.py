load = lambda i: f"lsc_load.slm (M1, 16) v{i}:d32 flat[a{i}]:a32\n"
