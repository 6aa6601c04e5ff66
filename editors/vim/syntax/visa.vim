" Intel vISA text. Made from rules/ by `BLESS=1 cargo test editors::`.

if exists('b:current_syntax')
  finish
endif

syntax case match

syntax match visaDirective /^\s*\zs\.\(version\|kernel\|global_function\|function\|funcdecl\|decl\|input\|kernel_attr\|file\|loc\|implicit_\w\+\)\>/
syntax match visaLabel /^\s*\zs[A-Za-z_$@?][A-Za-z0-9_$@?]*\ze:/
syntax match visaMnemonic /^\s*\(([^)]*)\s*\)\?\zs\(FILE\|LOC\|add\|add3\|addc\|addr_add\|and\|asr\|avg\|avs\|barrier\|bdpas\|bfe\|bfi\|bfn\|bfrev\|breakpoint\|call\|cbit\|cmp\|cos\|div\|divm\|dnscl\|dp2\|dp3\|dp4\|dp4a\|dpas\|dpasw\|dph\|dword_atomic\|exp\|faddr\|fbh\|fbl\|fcall\|fccall\|fcvt\|fence_global\|fence_local\|fence_sw\|frc\|fret\|gather\|gather4_scaled\|gather4_typed\|gather_scaled\|goto\|ifcall\|inv\|invm\|jmp\|lfsr\|lifetime\|line\|load\|load_2dms_w\|load_3d\|load_l\|load_lz\|load_mcs\|lod\|log\|lrp\|lsc_apndctr_atomic_add\|lsc_apndctr_atomic_store\|lsc_apndctr_atomic_sub\|lsc_atomic_and\|lsc_atomic_bfadd\|lsc_atomic_bfcas\|lsc_atomic_bfmax\|lsc_atomic_bfmin\|lsc_atomic_bfsub\|lsc_atomic_fadd\|lsc_atomic_fcas\|lsc_atomic_fmax\|lsc_atomic_fmin\|lsc_atomic_fsub\|lsc_atomic_iadd\|lsc_atomic_icas\|lsc_atomic_idec\|lsc_atomic_iinc\|lsc_atomic_isub\|lsc_atomic_load\|lsc_atomic_or\|lsc_atomic_smax\|lsc_atomic_smin\|lsc_atomic_store\|lsc_atomic_umax\|lsc_atomic_umin\|lsc_atomic_xor\|lsc_extended_cache_ctrl\|lsc_fence\|lsc_load\|lsc_load_block2d\|lsc_load_quad\|lsc_load_quad_msrt\|lsc_load_quad_status\|lsc_load_status\|lsc_load_strided\|lsc_read_state_info\|lsc_store\|lsc_store_block2d\|lsc_store_quad\|lsc_store_quad_msrt\|lsc_store_strided\|lsc_store_uncompressed\|lzd\|mad\|madw\|max\|media_ld\|media_st\|min\|mod\|mov\|movs\|mul\|mulh\|nbarrier\|not\|or\|oword_ld\|oword_ld_unaligned\|oword_st\|plane\|pow\|qw_gather\|qw_scatter\|raw_send\|raw_sendc\|raw_sendg\|raw_sendg_eot\|raw_sendgc\|raw_sendgc_eot\|raw_sends\|raw_sends_eot\|raw_sendsc\|raw_sendsc_eot\|resinfo\|ret\|rndd\|rnde\|rndu\|rndz\|rol\|ror\|rsqrt\|rsqtm\|rt_write_3d\|sad2\|sad2add\|sample\|sample4\|sample4_b\|sample4_c\|sample4_i\|sample4_i_c\|sample4_l\|sample4_l_c\|sample4_po\|sample4_po_b\|sample4_po_c\|sample4_po_i\|sample4_po_i_c\|sample4_po_l\|sample4_po_l_c\|sample_3d\|sample_b\|sample_b_c\|sample_c\|sample_c_lz\|sample_c_mlod\|sample_d\|sample_d_c\|sample_d_c_mlod\|sample_l\|sample_l_c\|sample_lz\|sample_mlod\|sample_po\|sample_po_b\|sample_po_b_c\|sample_po_c\|sample_po_c_lz\|sample_po_d\|sample_po_d_c\|sample_po_l\|sample_po_l_c\|sample_po_lz\|sample_unorm\|sampleinfo\|sampler_cache_flush\|sbarrier\|scatter\|scatter4_scaled\|scatter4_typed\|scatter_scaled\|sel\|setp\|shfl_idx4\|shl\|shr\|sigm\|sin\|sqrt\|sqrtm\|srnd\|subb\|svm_atomic\|svm_block_ld\|svm_block_st\|svm_gather\|svm_gather4scaled\|svm_scatter\|svm_scatter4scaled\|switchjmp\|tanh\|typed_atomic\|urb_write_3d\|vme_fbr\|vme_ime\|vme_sic\|wait\|xor\|yield\)\ze\(\.[A-Za-z0-9_.]\+\)\?\(\s\|(\|$\)/ nextgroup=visaModifier
syntax match visaModifier /\.[A-Za-z0-9_.]\+/ contained
syntax match visaPredefined /%\w\+/
syntax match visaType /\(:\|\<type=\)\@<=\(b\|bf\|bf8\|bool\|d\|df\|e2m1\|f\|hf\|hf8\|q\|tf32\|ub\|ud\|uq\|uv\|uw\|v\|vf\|w\)\>/
syntax match visaAttribute /\<\a[A-Za-z_]*\ze=/
syntax match visaNumber /\<\(0x\x\+\|\d\+\(\.\d\+\)\?\)\>/
syntax match visaMask /(\s*\zsM\d\+\(_NM\)\?\ze\s*,/
syntax region visaString start=/"/ end=/"/ oneline
syntax match visaComment /\/\/.*$/
syntax region visaComment start=/\/\*/ end=/\*\//

highlight default link visaDirective PreProc
highlight default link visaLabel Label
highlight default link visaMnemonic Statement
highlight default link visaModifier Special
highlight default link visaPredefined Identifier
highlight default link visaType Type
highlight default link visaAttribute Keyword
highlight default link visaNumber Number
highlight default link visaMask Constant
highlight default link visaString String
highlight default link visaComment Comment

let b:current_syntax = 'visa'
