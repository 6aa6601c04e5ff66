// Work-items store what they have loaded from different places of a buffer. The number after "size" is the group.

// size 64: what follows a part of the line goes behind it, or over its end
kernel void race_loaded_halo(global float *out, global const float *in) {
    local float t[72];
    int i = get_local_id(0);
    t[i] = in[get_global_id(0)];
    if (i < 16) t[56 + i] = in[get_global_id(0) + 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[i] + t[i + 4] + t[i + 8];
}
// size 64: what follows a part of the line goes behind it, or over its end
kernel void free_loaded_halo(global float *out, global const float *in) {
    local float t[72];
    int i = get_local_id(0);
    t[i] = in[get_global_id(0)];
    if (i < 8) t[64 + i] = in[get_global_id(0) + 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[i] + t[i + 4] + t[i + 8];
}
// size 128: one place for two work-items, or one for each
kernel void race_loaded_cases(global int *out, global const int *in) {
    local int t[128];
    int i = get_local_id(0);
    switch (i >> 5) {
    case 0: t[i] = in[0]; break;
    case 1: t[i] = in[1] + i; break;
    case 2: t[i - 32] = in[2] + 1; break;
    default: t[i] = 5;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[127 - i];
}
// size 128: one place for two work-items, or one for each
kernel void free_loaded_cases(global int *out, global const int *in) {
    local int t[128];
    int i = get_local_id(0);
    switch (i >> 5) {
    case 0: t[i] = in[0]; break;
    case 1: t[i] = in[1] + i; break;
    case 2: t[i] = in[2] + 1; break;
    default: t[i] = 5;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[127 - i];
}
// size 128: one place for two work-items, or one for each
kernel void race_loaded_shifted(global int *out, global const int *in) {
    local int t[128];
    int i = get_local_id(0);
    t[i] = in[i & 15] + i / 64;
    t[i & 63] = in[i & 15] + i / 64 + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[127 - i];
}
// size 128: one place for two work-items, or one for each
kernel void free_loaded_shifted(global int *out, global const int *in) {
    local int t[128];
    int i = get_local_id(0);
    t[i & 63] = in[i & 15] + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[63 & ~i];
}
