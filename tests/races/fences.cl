// Barriers with and without the fence that they need. The number after "size" is the group.

// race, size 64: a barrier with no fence of global memory
kernel void race_fence_global(global int *a, global int *out) {
    int i = get_local_id(0);
    a[i] = i;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = a[63 - i];
}
// free, size 64
kernel void free_fence_global(global int *a, global int *out) {
    int i = get_local_id(0);
    a[i] = i;
    work_group_barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = a[63 - i];
}
// race, size 64: a barrier with no fence of local memory
kernel void race_fence_local(global int *out) {
    local int a[64];
    int i = get_local_id(0);
    a[i] = i;
    work_group_barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = a[63 - i];
}
// free, size 64
kernel void free_fence_local(global int *out) {
    local int a[64];
    int i = get_local_id(0);
    a[i] = i;
    work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[i] = a[63 - i];
}
// race, size 64: a barrier with no fence
kernel void race_fence_none(global int *out) {
    local int a[64];
    int i = get_local_id(0);
    a[i] = i;
    work_group_barrier(0);
    out[i] = a[63 - i];
}
// race, size 64: only a fence, no barrier
kernel void race_fence_only(global int *out) {
    local int a[64];
    int i = get_local_id(0);
    a[i] = i;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    out[i] = a[63 - i];
}
// free, size 64: reads only before a barrier without a fence: write after read
kernel void free_fence_kernel_end(global int *a, global int *out) {
    int i = get_local_id(0);
    int v = a[i];
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = v;
}
