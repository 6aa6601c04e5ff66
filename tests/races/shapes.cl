// Shapes of programs: reductions, scans, tiles, halos, stages, sub-groups, pointers and members. The number after "size" is the group: x, y, z.

// race, size 128: tree reduction with modulo, no barrier in the loop
kernel void race_tree_mod(global int *out, global const int *in, local int *s) {
    int i = get_local_id(0);
    s[i] = in[get_global_id(0)];
    for (int d = 1; d < 128; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i % (2 * d) == 0) s[i] += s[i + d];
    }
    out[get_global_id(0)] = s[0];
}
// free, size 128
kernel void free_tree_mod(global int *out, global const int *in, local int *s) {
    int i = get_local_id(0);
    s[i] = in[get_global_id(0)];
    for (int d = 1; d < 128; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i % (2 * d) == 0) s[i] += s[i + d];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[0];
}
// free, size 64: the last places are those of the work-item itself
kernel void free_blelloch_own(global int *out, global const int *in) {
    local int t[128];
    int i = get_local_id(0), o = 1;
    t[2 * i] = in[2 * i]; t[2 * i + 1] = in[2 * i + 1];
    for (int d = 64; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < d) t[o * (2 * i + 2) - 1] += t[o * (2 * i + 1) - 1];
        o *= 2;
    }
    if (i == 0) t[127] = 0;
    for (int d = 1; d < 128; d *= 2) {
        o >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < d) { int a = o * (2 * i + 1) - 1, b = o * (2 * i + 2) - 1; int v = t[a]; t[a] = t[b]; t[b] += v; }
    }
    out[2 * i] = t[2 * i]; out[2 * i + 1] = t[2 * i + 1];
}
// free, size 64
kernel void free_blelloch(global int *out, global const int *in) {
    local int t[128];
    int i = get_local_id(0), o = 1;
    t[2 * i] = in[2 * i]; t[2 * i + 1] = in[2 * i + 1];
    for (int d = 64; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < d) t[o * (2 * i + 2) - 1] += t[o * (2 * i + 1) - 1];
        o *= 2;
    }
    if (i == 0) t[127] = 0;
    for (int d = 1; d < 128; d *= 2) {
        o >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < d) { int a = o * (2 * i + 1) - 1, b = o * (2 * i + 2) - 1; int v = t[a]; t[a] = t[b]; t[b] += v; }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[2 * i] = t[2 * i]; out[2 * i + 1] = t[2 * i + 1];
}
// race, size 16 16: transpose of a tile within one array in place
kernel void race_tile_in_place(global int *m) {
    local int t[16][16];
    int x = get_local_id(0), y = get_local_id(1);
    t[y][x] = m[y * 16 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[y][x] = t[x][y] + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    m[y * 16 + x] = t[y][x];
}
// free, size 16 16
kernel void free_tile_in_place(global int *m) {
    local int t[16][16];
    int x = get_local_id(0), y = get_local_id(1);
    t[y][x] = m[y * 16 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    int v = t[x][y] + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[y][x] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    m[y * 16 + x] = t[y][x];
}
// race, size 64: bins of work-items, merged without a barrier
kernel void race_private_bins(global int *out, global const uchar *in) {
    local int bins[4][64];
    int i = get_local_id(0);
    for (int b = 0; b < 4; b++) bins[b][i] = 0;
    for (int k = 0; k < 8; k++) bins[in[get_global_id(0) * 8 + k] & 3][i]++;
    if (i < 4) { int s = 0; for (int j = 0; j < 64; j++) s += bins[i][j]; out[get_group_id(0) * 4 + i] = s; }
}
// free, size 64
kernel void free_private_bins(global int *out, global const uchar *in) {
    local int bins[4][64];
    int i = get_local_id(0);
    for (int b = 0; b < 4; b++) bins[b][i] = 0;
    for (int k = 0; k < 8; k++) bins[in[get_global_id(0) * 8 + k] & 3][i]++;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 4) { int s = 0; for (int j = 0; j < 64; j++) s += bins[i][j]; out[get_group_id(0) * 4 + i] = s; }
}
// race, size 64: bins zeroed by the first ones, updated by atomics with no barrier
kernel void race_zero_bins(global int *out, global const uchar *in) {
    local int bins[64];
    int i = get_local_id(0);
    bins[i] = 0;
    atomic_inc(&bins[(i + 16) & 63]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = bins[i];
}
// free, size 64
kernel void free_zero_bins(global int *out, global const uchar *in) {
    local int bins[64];
    int i = get_local_id(0);
    bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[(i + 16) & 63]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = bins[i];
}
// race, size 16 8: halo of a stencil loaded by the border items, no barrier before use
kernel void race_halo(global float *out, global const float *in, int pitch) {
    local float t[10][18];
    int x = get_local_id(0) + 1, y = get_local_id(1) + 1;
    global const float *p = in + (get_group_id(1) * 8 + y) * pitch + get_group_id(0) * 16 + x;
    t[y][x] = p[0];
    if (x == 1) t[y][0] = p[-1];
    if (x == 16) t[y][17] = p[1];
    if (y == 1) t[0][x] = p[-pitch];
    if (y == 8) t[9][x] = p[pitch];
    out[(get_group_id(1) * 8 + y) * pitch + get_group_id(0) * 16 + x] = t[y - 1][x] + t[y + 1][x] + t[y][x - 1] + t[y][x + 1];
}
// free, size 16 8
kernel void free_halo(global float *out, global const float *in, int pitch) {
    local float t[10][18];
    int x = get_local_id(0) + 1, y = get_local_id(1) + 1;
    global const float *p = in + (get_group_id(1) * 8 + y) * pitch + get_group_id(0) * 16 + x;
    t[y][x] = p[0];
    if (x == 1) t[y][0] = p[-1];
    if (x == 16) t[y][17] = p[1];
    if (y == 1) t[0][x] = p[-pitch];
    if (y == 8) t[9][x] = p[pitch];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_group_id(1) * 8 + y) * pitch + get_group_id(0) * 16 + x] = t[y - 1][x] + t[y + 1][x] + t[y][x - 1] + t[y][x + 1];
}
// race, size 64: double buffering over an unknown count: the next tile is written into the buffer in use
kernel void race_stage(global int *out, global const int *in, int n) {
    local int a[2][64];
    int i = get_local_id(0), sum = 0;
    a[0][i] = in[i];
    for (int k = 1; k < 9; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        a[(k & 1) ^ 1][i] = in[k * 64 + i];
        sum += a[(k & 1) ^ 1][63 - i];
    }
    out[get_global_id(0)] = sum;
}
// free, size 64
kernel void free_stage(global int *out, global const int *in, int n) {
    local int a[2][64];
    int i = get_local_id(0), sum = 0;
    a[0][i] = in[i];
    for (int k = 1; k < 9; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        a[k & 1][i] = in[k * 64 + i];
        sum += a[(k & 1) ^ 1][63 - i];
    }
    out[get_global_id(0)] = sum;
}
// race, size 64: producer half, consumer half
kernel void race_produce(global int *out, global const int *in) {
    local int box[32];
    int i = get_local_id(0);
    for (int k = 0; k < 4; k++) {
        if (i >= 32) box[i - 32] = in[k * 32 + i];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < 32) out[k * 32 + i] = box[i];
    }
}
// free, size 64
kernel void free_produce(global int *out, global const int *in) {
    local int box[32];
    int i = get_local_id(0);
    for (int k = 0; k < 4; k++) {
        if (i >= 32) box[i - 32] = in[k * 32 + i];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < 32) out[k * 32 + i] = box[i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
// race, size 64: sums of sub-groups, gathered with no barrier
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void race_subgroup_sum(global int *out, global const int *in) {
    local int part[8];
    int v = sub_group_reduce_add(in[get_global_id(0)]);
    if (get_sub_group_local_id() == 0) part[get_local_id(0) / 8] = v;
    out[get_global_id(0)] = part[0] + part[get_local_id(0) / 16 * 0 + 4];
}
// free, size 64
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void free_subgroup_sum(global int *out, global const int *in) {
    local int part[8];
    int v = sub_group_reduce_add(in[get_global_id(0)]);
    if (get_sub_group_local_id() == 0) part[get_local_id(0) / 8] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = part[0] + part[4];
}
// race, size 64: shuffled index
kernel void race_shuffle(global int *out) {
    local int a[64];
    int i = get_local_id(0);
    a[i] = i * 3;
    int j = intel_sub_group_shuffle(i, 0);
    out[get_global_id(0)] = a[63 - j];
}
// free, size 64: the shuffled index stays within the sub-group
kernel void free_shuffle(global int *out) {
    local int a[64];
    int i = get_local_id(0);
    a[i] = i * 3;
    int j = intel_sub_group_shuffle(i, 0);
    out[get_global_id(0)] = a[j];
}
// race, size 64: early return before an access with no barrier
kernel void race_early(global int *a) {
    int i = get_local_id(0);
    if (i >= 60) return;
    a[i] = i;
    a[i + 4] = 2 * i + 1000;
}
// free, size 64
kernel void free_early(global int *a) {
    int i = get_local_id(0);
    if (i >= 60) return;
    a[i] = i;
    a[i + 64] = 2 * i + 1000;
}
// race, size 64: a pointer chosen by the lane's parity
kernel void race_parity(global int *a, global int *b) {
    int i = get_local_id(0);
    global int *p = (i & 1) ? a : b;
    p[i >> 3] = i;
}
// free, size 64
kernel void free_parity(global int *a, global int *b) {
    int i = get_local_id(0);
    global int *p = (i & 1) ? a : b;
    p[i] = i;
}
// race, size 64: struct members with a wrong stride
struct cell { char c; short s; int v; long l; };
kernel void race_members(global struct cell *p) {
    int i = get_local_id(0);
    p[i].v = i;
    p[i / 2].s = (short)i;
}
// free, size 64
kernel void free_members(global struct cell *p) {
    int i = get_local_id(0);
    p[i].v = i;
    p[i].s = (short)i;
    p[i].c = (char)i;
    p[i].l = i;
}
// race, size 64: long overlaps the neighbour's int
kernel void race_wide(global int *a) {
    int i = get_local_id(0);
    *(global long *)(a + 2 * (i / 2)) = 5000000000L + i;
}
// free, size 64
kernel void free_wide(global int *a) {
    int i = get_local_id(0);
    *(global long *)(a + 2 * i) = 5000000000L + i;
}
// race, size 64: chars with stride
kernel void race_chars(local char *s, global char *out) {
    int i = get_local_id(0);
    s[i] = (char)i;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[i] = s[(i + 33) & 63];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[i];
}
// free, size 64
kernel void free_chars(local char *s, global char *out) {
    int i = get_local_id(0);
    s[i] = (char)i;
    barrier(CLK_LOCAL_MEM_FENCE);
    char v = s[(i + 33) & 63];
    barrier(CLK_LOCAL_MEM_FENCE);
    s[i] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[i];
}
// race, size 64: float4 read through a float view
kernel void race_float4(global float *out, global const float4 *in) {
    local float4 t[16];
    int i = get_local_id(0);
    if (i < 16) t[i] = in[i];
    out[get_global_id(0)] = ((local float *)t)[i];
}
// free, size 64
kernel void free_float4(global float *out, global const float4 *in) {
    local float4 t[16];
    int i = get_local_id(0);
    if (i < 16) t[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = ((local float *)t)[i];
}
// race, size 8 4 2: three dimensions, z layers share a row
kernel void race_layers(global int *out) {
    local int t[4][8];
    int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
    t[y][x] = z * 32 + y * 8 + x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[z * 32 + y * 8 + x] = t[y][x];
}
// free, size 8 4 2
kernel void free_layers(global int *out) {
    local int t[2][4][8];
    int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
    t[z][y][x] = z * 32 + y * 8 + x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[z * 32 + y * 8 + x] = t[1 - z][3 - y][7 - x];
}
// race, size 64: a loop with a barrier whose first pass reads what the second half writes
kernel void race_wave(global int *g) {
    local int a[64];
    int i = get_local_id(0);
    a[i] = g[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 64; k += 16) {
        if (i >= k && i < k + 16) a[i] = a[(i + 48) & 63] + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        a[i] += a[(i + 16) & 63];
    }
    g[i] = a[i];
}
// free, size 64
kernel void free_wave(global int *g) {
    local int a[64];
    int i = get_local_id(0);
    a[i] = g[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 64; k += 16) {
        if (i >= k && i < k + 16) a[i] = a[(i + 48) & 63] + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    g[i] = a[i];
}
// race, size 64: the bound is the local size, stride the sub-group
kernel void race_size_stride(global int *out, global int *in) {
    int i = get_local_id(0), n = get_local_size(0);
    for (int k = 0; k < 4; k++) out[k * (n / 2) + i] = k * 100 + i;
}
// free, size 64
kernel void free_size_stride(global int *out, global int *in) {
    int i = get_local_id(0), n = get_local_size(0);
    for (int k = 0; k < 4; k++) out[k * n + i] = k * 100 + i;
}
// race, size 64: reverse in place
kernel void race_reverse(global int *a) {
    int i = get_local_id(0);
    a[i] = a[63 - i];
}
// free, size 64: reversal by the lower half, each of a pair
kernel void free_reverse(global int *a) {
    int i = get_local_id(0);
    if (i < 32) { int x = a[i], y = a[63 - i]; a[i] = y; a[63 - i] = x; }
}
// race, size 64: bitonic step in SLM with the wrong partner rule
kernel void race_bitonic(global int *g) {
    local int s[64];
    int i = get_local_id(0);
    s[i] = g[i];
    for (int k = 2; k <= 64; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            int p = i ^ j;
            int a = s[i], b = s[p];
            s[i] = ((i < p) == ((i & k) == 0)) ? min(a, b) : max(a, b);
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    g[i] = s[i];
}
// free, size 64
kernel void free_bitonic(global int *g) {
    local int s[64];
    int i = get_local_id(0);
    s[i] = g[i];
    for (int k = 2; k <= 64; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            int p = i ^ j;
            if (p > i) {
                int a = s[i], b = s[p];
                bool up = (i & k) == 0;
                s[i] = up ? min(a, b) : max(a, b);
                s[p] = up ? max(a, b) : min(a, b);
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    g[i] = s[i];
}
// race, size 128: dot product whose second step needs the first one of others
kernel void race_warp_sync(global float *out, global const float *a, global const float *b) {
    local float s[128];
    int i = get_local_id(0);
    s[i] = a[get_global_id(0)] * b[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 64) s[i] += s[i + 64];
    if (i < 32) s[i] += s[i + 32];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 0) out[get_group_id(0)] = s[0];
}
// free, size 64
kernel void free_warp_sync(global float *out, global const float *a, global const float *b) {
    local float s[64];
    int i = get_local_id(0);
    s[i] = a[get_global_id(0)] * b[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 32) s[i] += s[i + 32];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 16) s[i] += s[i + 16];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 0) { float r = 0; for (int k = 0; k < 16; k++) r += s[k]; out[get_group_id(0)] = r; }
}
// race, size 64: switch of the index; two cases share a place
kernel void race_switch(global int *a) {
    int i = get_local_id(0);
    int at;
    switch (i >> 4) { case 0: at = i; break; case 1: at = i + 16; break; case 2: at = i - 16; break; default: at = i - 48; break; }
    a[at] = i;
}
// free, size 64
kernel void free_switch(global int *a) {
    int i = get_local_id(0);
    int at;
    switch (i >> 4) { case 0: at = i; break; case 1: at = i + 16; break; case 2: at = i - 16; break; default: at = i; break; }
    a[at] = i;
}
// race, size 64: private array indexed by id, then written out shifted
kernel void race_private_array(global int *out) {
    int t[8];
    int i = get_local_id(0);
    for (int k = 0; k < 8; k++) t[k] = i * k + 1;
    for (int k = 0; k < 8; k++) out[i * 7 + k] = t[k];
}
// free, size 64
kernel void free_private_array(global int *out) {
    int t[8];
    int i = get_local_id(0);
    for (int k = 0; k < 8; k++) t[k] = i * k + 1;
    for (int k = 0; k < 8; k++) out[i * 8 + k] = t[k];
}
// race, size 64: unsigned char index arithmetic wraps
kernel void race_wrap(global int *out) {
    uchar i = (uchar)get_local_id(0);
    uchar j = (uchar)(i * 8);
    out[j] = i;
}
// free, size 64
kernel void free_wrap(global int *out) {
    uchar i = (uchar)get_local_id(0);
    uchar j = (uchar)(i * 3);
    out[j] = i;
}
// race, size 64: reads through a constant-looking alias of what is written
kernel void race_alias(global int *a) {
    global const int *r = a + 64;
    int i = get_local_id(0);
    int v = r[i - 32];
    a[i + 2] = v + i;
}
// free, size 64
kernel void free_alias(global int *a) {
    global const int *r = a + 64;
    int i = get_local_id(0);
    int v = r[i + 2];
    a[i + 2] = v + i;
}
// race, size 64: do-while with id-dependent trips before a shared write
kernel void race_trips(global int *out) {
    local int a[64];
    int i = get_local_id(0), k = 0, s = 0;
    do { s += k; k++; } while (k < (i & 3) + 2);
    a[i] = s;
    out[get_global_id(0)] = a[i ^ 40];
}
// free, size 64
kernel void free_trips(global int *out) {
    local int a[64];
    int i = get_local_id(0), k = 0, s = 0;
    do { s += k; k++; } while (k < (i & 3) + 2);
    a[i] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[i ^ 40];
}
// race, size 64: a flag set by any, with different values
kernel void race_flag(global int *out, global const int *in) {
    local int flag;
    int i = get_local_id(0);
    if (i == 0) flag = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((i & 15) == 3) flag = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = flag;
}
// free, size 64: the same value
kernel void free_flag(global int *out, global const int *in) {
    local int flag;
    int i = get_local_id(0);
    if (i == 0) flag = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((i & 15) == 3) flag = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = flag;
}
// race, size 64: async copy read without wait_group_events' barrier replaced by a plain copy loop
kernel void race_coop_copy(global int *out, global const int *in) {
    local int t[256];
    int i = get_local_id(0);
    for (int k = i; k < 256; k += 64) t[k] = in[k];
    int s = 0;
    for (int k = 0; k < 4; k++) s += t[i * 4 + k];
    out[get_global_id(0)] = s;
}
// free, size 64
kernel void free_coop_copy(global int *out, global const int *in) {
    local int t[256];
    int i = get_local_id(0);
    for (int k = i; k < 256; k += 64) t[k] = in[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    int s = 0;
    for (int k = 0; k < 4; k++) s += t[i * 4 + k];
    out[get_global_id(0)] = s;
}
// race, size 64: global size strides and 2 results per item, overlapping by one
kernel void race_overlap_one(global int *out, global const int *in) {
    int i = get_global_id(0);
    out[2 * i] = i; out[2 * i + 1] = i + 7; out[2 * i + 2] = i + 13;
}
// free, size 64
kernel void free_overlap_one(global int *out, global const int *in) {
    int i = get_global_id(0);
    out[3 * i] = i; out[3 * i + 1] = i + 7; out[3 * i + 2] = i + 13;
}
// cond, size 64: stride argument 
kernel void cond_stride(global int *a, int n) {
    a[get_local_id(0) * n] = get_local_id(0);
}
// cond, size 64
kernel void cond_if(global int *a, int n) {
    int i = get_local_id(0);
    if (n > 3) a[i / 2] = i; 
}
// cond, size 64: shift argument
kernel void cond_shift(global int *a, int n) {
    int i = get_local_id(0);
    int v = a[i + n];
    a[i] = v + 1;
}
// cond, size 64: a loop over n without a barrier
kernel void cond_loop(global int *out, int n) {
    local int s[64];
    int i = get_local_id(0);
    s[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < n; k++) s[(i + 1) & 63] = s[i] + k;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = s[i];
}
// group, size 64: each group writes its number
kernel void group_number(global int *a) { if (get_local_id(0) == 0) a[0] = get_group_id(0); }
// group, size 64: the group's part overlaps the next one's
kernel void group_overlap(global int *a) { a[get_group_id(0) * 32 + get_local_id(0)] = get_global_id(0); }
// free, size 64
kernel void free_groups(global int *a) { a[get_group_id(0) * 64 + get_local_id(0)] = get_global_id(0); }
// group, size 64: read of the neighbour group's element
kernel void group_neighbour(global int *a) { int i = get_global_id(0); int l = get_local_id(0); int v = l == 63 ? a[i + 1] : 0; if (l == 0) a[i] = v + 5; if (l == 63) a[i + 1000] = v; }
