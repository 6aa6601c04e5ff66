" The language server of visa-lint for ALE.

call ale#Set('visa_visa_lint_executable', 'visa-lint')

function! ale_linters#visa#visa_lint#Root(buffer) abort
  let l:file = ale#path#FindNearestFile(a:buffer, 'visa-lint.toml')
  return empty(l:file) ? fnamemodify(bufname(a:buffer), ':p:h') : fnamemodify(l:file, ':h')
endfunction

call ale#linter#Define('visa', {
\   'name': 'visa_lint',
\   'aliases': ['visa-lint'],
\   'lsp': 'stdio',
\   'executable': {buffer -> ale#Var(buffer, 'visa_visa_lint_executable')},
\   'command': '%e lsp',
\   'project_root': function('ale_linters#visa#visa_lint#Root'),
\})
