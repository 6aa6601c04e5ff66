" Run by editors/test.sh: findings in a real Vim, through ALE.
set nocompatible
set runtimepath^=/usr/share/vim-ale
let &runtimepath = $EDITORS . '/vim,' . &runtimepath
let g:ale_visa_visa_lint_executable = $VISA_LINT
let g:ale_set_loclist = 1
filetype plugin on
syntax on
runtime plugin/ale.vim
execute 'edit' $FIXTURE
let g:n = 0
function! Poll(timer) abort
  let g:n += 1
  let l:found = filter(getloclist(0), {_, item -> item.text =~# 'MOV'})
  let l:group = synIDattr(synID(9, 6, 1), 'name')
  if l:group !=# 'visaMnemonic'
    call writefile(['`mov` is coloured as ' . l:group], $RESULT)
    cquit
  elseif !empty(l:found)
    call writefile(['ok'], $RESULT)
    qall!
  elseif g:n > 150
    call writefile(['no finding: ' . string(getloclist(0)) . ' file type ' . &filetype], $RESULT)
    cquit
  endif
endfunction
call timer_start(100, 'Poll', {'repeat': -1})
