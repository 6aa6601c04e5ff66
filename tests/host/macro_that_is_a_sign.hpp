// A macro without a name.
#define -(op)                                                                                    \
    asm("lsc_atomic_" #op ".ugm (M1, 16) %%null:d32 flat[%0]:a64 %1 %%null" :: "rw"(p), "rw"(v));     \
