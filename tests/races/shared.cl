// Shared local memory between barriers. The number after "size" is the group: x, y, z.

// race, size 64: the neighbour is read without a barrier.
kernel void race_neighbour(global int *out) {
    local int a[65];
    int i = get_local_id(0);
    a[i] = i;
    out[get_global_id(0)] = a[i + 1];
}
// free, size 64
kernel void free_neighbour(global int *out) {
    local int a[65];
    int i = get_local_id(0);
    a[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[i + 1];
}
// free, size 64: each work-item reads its own.
kernel void free_own(global int *out) {
    local int a[64];
    int i = get_local_id(0);
    a[i] = i;
    out[get_global_id(0)] = a[i] + 1;
}
// race, size 64: mirrored.
kernel void race_mirror(global int *out, global const int *in) {
    local int a[64];
    int i = get_local_id(0);
    a[i] = in[get_global_id(0)];
    out[get_global_id(0)] = a[63 - i];
}
// free, size 64
kernel void free_mirror(global int *out, global const int *in) {
    local int a[64];
    int i = get_local_id(0);
    a[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[63 - i];
}
// race, size 128: the last step of a reduction has no barrier.
kernel void race_reduce(global float *out, global const float *in) {
    local float s[128];
    int i = get_local_id(0);
    s[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 64; d > 0; d >>= 1) {
        if (i < d) s[i] += s[i + d];
    }
    if (i == 0) out[get_group_id(0)] = s[0];
}
// free, size 128
kernel void free_reduce(global float *out, global const float *in) {
    local float s[128];
    int i = get_local_id(0);
    s[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 64; d > 0; d >>= 1) {
        if (i < d) s[i] += s[i + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i == 0) out[get_group_id(0)] = s[0];
}
// race, size 128: with the size of the group as the bound.
kernel void race_reduce_size(global float *out, global const float *in, local float *s) {
    int i = get_local_id(0);
    s[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = get_local_size(0) / 2; d > 0; d >>= 1) {
        if (i < d) s[i] += s[i + d];
    }
    if (i == 0) out[get_group_id(0)] = s[0];
}
// free, size 128
kernel void free_reduce_size(global float *out, global const float *in, local float *s) {
    int i = get_local_id(0);
    s[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = get_local_size(0) / 2; d > 0; d >>= 1) {
        if (i < d) s[i] += s[i + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i == 0) out[get_group_id(0)] = s[0];
}
// race, size 64: a scan that reads and writes in one step.
kernel void race_scan(global int *out, global const int *in) {
    local int s[64];
    int i = get_local_id(0);
    s[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 64; d <<= 1) {
        int v = i >= d ? s[i - d] : 0;
        s[i] += v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = s[i];
}
// free, size 64
kernel void free_scan(global int *out, global const int *in) {
    local int s[64];
    int i = get_local_id(0);
    s[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 64; d <<= 1) {
        int v = i >= d ? s[i - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        s[i] += v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = s[i];
}
// race, size 16 16: a transposed tile.
kernel void race_transpose(global float *out, global const float *in, int pitch) {
    local float t[16][17];
    int x = get_local_id(0), y = get_local_id(1);
    t[y][x] = in[(get_group_id(1) * 16 + y) * pitch + get_group_id(0) * 16 + x];
    out[(get_group_id(0) * 16 + y) * pitch + get_group_id(1) * 16 + x] = t[x][y];
}
// free, size 16 16
kernel void free_transpose(global float *out, global const float *in, int pitch) {
    local float t[16][17];
    int x = get_local_id(0), y = get_local_id(1);
    t[y][x] = in[(get_group_id(1) * 16 + y) * pitch + get_group_id(0) * 16 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_group_id(0) * 16 + y) * pitch + get_group_id(1) * 16 + x] = t[x][y];
}
// cond, size 16 16: the tiles of a product are overwritten too early, if there is a second one.
kernel void cond_matrix(global float *c, global const float *a, global const float *b, int n) {
    local float p[16][16], q[16][16];
    int x = get_local_id(0), y = get_local_id(1);
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        p[y][x] = a[get_global_id(1) * n + k + x];
        q[y][x] = b[(k + y) * n + get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 16; j++) sum += p[y][j] * q[j][x];
    }
    c[get_global_id(1) * n + get_global_id(0)] = sum;
}
// free, size 16 16
kernel void free_matrix(global float *c, global const float *a, global const float *b, int n) {
    local float p[16][16], q[16][16];
    int x = get_local_id(0), y = get_local_id(1);
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        p[y][x] = a[get_global_id(1) * n + k + x];
        q[y][x] = b[(k + y) * n + get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 16; j++) sum += p[y][j] * q[j][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[get_global_id(1) * n + get_global_id(0)] = sum;
}
// race, size 16 16: only the first barrier is missing.
kernel void race_matrix_first(global float *c, global const float *a, global const float *b, int n) {
    local float p[16][16], q[16][16];
    int x = get_local_id(0), y = get_local_id(1);
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        p[y][x] = a[get_global_id(1) * n + k + x];
        q[y][x] = b[(k + y) * n + get_global_id(0)];
        for (int j = 0; j < 16; j++) sum += p[y][j] * q[j][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[get_global_id(1) * n + get_global_id(0)] = sum;
}
// race, size 64: one work-item writes what all read.
kernel void race_broadcast(global int *out, global const int *in) {
    local int v;
    if (get_local_id(0) == 0) v = in[get_group_id(0)];
    out[get_global_id(0)] = v;
}
// free, size 64
kernel void free_broadcast(global int *out, global const int *in) {
    local int v;
    if (get_local_id(0) == 0) v = in[get_group_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = v;
}
// race, size 64: all write their number to one place.
kernel void race_all_write(global int *out) {
    local int v;
    v = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = v;
}
// free, size 64: all write the same number.
kernel void free_all_write_same(global int *out, int n) {
    local int v;
    v = n;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = v;
}
// race, size 64: modulo of an id.
kernel void race_modulo(global int *out) {
    local int a[16];
    int i = get_local_id(0);
    a[i % 16] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[i & 15];
}
// race, size 60: modulo that is no power of two.
kernel void race_modulo_odd(global int *out) {
    local int a[13];
    int i = get_local_id(0);
    a[i % 13] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[i / 13];
}
// free, size 64: a rotation.
kernel void free_rotate(global int *out) {
    local int a[64];
    int i = get_local_id(0);
    a[(i + 5) & 63] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[i];
}
// race, size 64: a rotation without a barrier.
kernel void race_rotate(global int *out) {
    local int a[64];
    int i = get_local_id(0);
    a[(i + 5) & 63] = i;
    out[get_global_id(0)] = a[i];
}
// race, size 64: a stencil in place.
kernel void race_stencil(global float *out, global const float *in) {
    local float a[66];
    int i = get_local_id(0) + 1;
    a[i] = in[get_global_id(0)];
    if (i == 1) { a[0] = 0; a[65] = 0; }
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = a[i - 1] + a[i + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[i];
}
// free, size 64
kernel void free_stencil(global float *out, global const float *in) {
    local float a[66];
    int i = get_local_id(0) + 1;
    a[i] = in[get_global_id(0)];
    if (i == 1) { a[0] = 0; a[65] = 0; }
    barrier(CLK_LOCAL_MEM_FENCE);
    float v = a[i - 1] + a[i + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[i];
}
// race, size 8 8 2: planes of three dimensions.
kernel void race_planes(global int *out) {
    local int a[2][8][8];
    int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
    a[z][y][x] = x + y + z;
    out[get_global_id(0) + 8 * y + 64 * z] = a[1 - z][y][x];
}
// free, size 8 8 2
kernel void free_planes(global int *out) {
    local int a[2][8][8];
    int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
    a[z][y][x] = x + y + z;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0) + 8 * y + 64 * z] = a[1 - z][y][x];
}
// race, size 64: a counter without an atomic.
kernel void race_counter(global int *out) {
    local int n;
    if (get_local_id(0) == 0) n = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    n += get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = n;
}
// free, size 64
kernel void free_counter(global int *out) {
    local int n;
    if (get_local_id(0) == 0) n = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&n, (int)get_local_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = n;
}
// race, size 64: an atomic and a plain read.
kernel void race_atomic_read(global int *out) {
    local int n;
    if (get_local_id(0) == 0) n = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&n);
    out[get_global_id(0)] = n;
}
// free, size 64: a histogram.
kernel void free_histogram(global int *out, global const uchar *in) {
    local int h[256];
    for (int i = get_local_id(0); i < 256; i += 64) h[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&h[in[get_global_id(0)]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_local_id(0); i < 256; i += 64) out[i] = h[i];
}
// race, size 64: a histogram without the barrier after zeroing.
kernel void race_histogram(global int *out, global const uchar *in) {
    local int h[256];
    for (int i = get_local_id(0); i < 256; i += 64) h[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&h[in[get_global_id(0)]]);
    for (int i = get_local_id(0); i < 256; i += 64) out[i] = h[255 - i];
    h[get_local_id(0)] = h[get_local_id(0) + 100];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = h[get_local_id(0)];
}
// race, size 64: bytes.
kernel void race_bytes(global uchar *out, global const uchar *in) {
    local uchar a[64];
    int i = get_local_id(0);
    a[i] = in[get_global_id(0)];
    out[get_global_id(0)] = a[i ^ 32];
}
// free, size 64
kernel void free_bytes(global uchar *out, global const uchar *in) {
    local uchar a[64];
    int i = get_local_id(0);
    a[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[i ^ 32];
}
// race, size 64: vectors of four.
kernel void race_vectors(global float4 *out, global const float4 *in) {
    local float4 a[64];
    int i = get_local_id(0);
    a[i] = in[get_global_id(0)];
    out[get_global_id(0)] = a[(i + 32) & 63];
}
// free, size 64
kernel void free_vectors(global float4 *out, global const float4 *in) {
    local float4 a[64];
    int i = get_local_id(0);
    a[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[(i + 32) & 63];
}
// race, size 32 4: rows overlap by their pitch.
kernel void race_pitch(global int *out) {
    local int a[160];
    int x = get_local_id(0), y = get_local_id(1);
    a[y * 31 + x] = x + 100 * y;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * 32 + x] = a[y * 31 + x];
}
// free, size 32 4
kernel void free_pitch(global int *out) {
    local int a[160];
    int x = get_local_id(0), y = get_local_id(1);
    a[y * 33 + x] = x + 100 * y;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * 32 + x] = a[y * 33 + x];
}
// race, size 64: two buffers are exchanged without the second barrier.
kernel void race_double_buffer(global float *out, global const float *in, int n) {
    local float a[2][64];
    int i = get_local_id(0);
    int p = 0;
    a[0][i] = in[get_global_id(0)];
    for (int k = 0; k < 10; k++) {
        a[1 - p][i] = a[p][(i + 17) & 63] * 2.0f;
        p = 1 - p;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[p][i];
}
// free, size 64
kernel void free_double_buffer(global float *out, global const float *in, int n) {
    local float a[2][64];
    int i = get_local_id(0);
    int p = 0;
    a[0][i] = in[get_global_id(0)];
    for (int k = 0; k < 10; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        a[1 - p][i] = a[p][(i + 17) & 63] * 2.0f;
        p = 1 - p;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[p][i];
}
// race, size 64: half of the work-items write what the other half reads.
kernel void race_halves(global int *out, global const int *in) {
    local int a[64];
    int i = get_local_id(0);
    if (i < 32) a[i] = in[i]; else out[i] = a[i - 32];
}
// free, size 64: each half has its own part.
kernel void free_halves(global int *out, global const int *in) {
    local int a[64];
    int i = get_local_id(0);
    if (i < 32) a[i] = in[i]; else a[i] = -in[i];
    out[get_global_id(0)] = a[i];
}
