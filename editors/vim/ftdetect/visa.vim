autocmd BufRead,BufNewFile *.visaasm,*.isaasm setfiletype visa
