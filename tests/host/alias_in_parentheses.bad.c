void rows(char *out, int n) {
  for (int i = 0; i < n; ++i)
    out += sprintf(out, ".decl ROW%d v_type=G type=f num_elts=16 alias=(TILE, %d)\n", i, 64 * i);
}
