-- Run by editors/test.sh: findings and hover in a real Neovim. Exits with 1 if something is missing.
local root = os.getenv("EDITORS")
vim.opt.runtimepath:append({ root .. "/vim", root .. "/neovim" })
vim.cmd("filetype plugin on | syntax on | runtime! ftdetect/*.vim")
local complaints = {}
vim.lsp.handlers["window/showMessage"] = function(_, result)
  table.insert(complaints, result.message)
end
require("visa_lint").setup({ cmd = { os.getenv("VISA_LINT"), "lsp" } })
vim.cmd("edit " .. os.getenv("FIXTURE"))

local function fail(message)
  io.stderr:write(message .. "\n")
  vim.cmd("cquit 1")
end

local function has_rule(rule)
  for _, d in ipairs(vim.diagnostic.get(0)) do
    if d.code == rule or (d.user_data and d.user_data.lsp and d.user_data.lsp.code == rule) then
      return true
    end
  end
  return false
end

if vim.bo.filetype ~= "visa" then
  fail("the file type is " .. vim.bo.filetype)
end
if not vim.wait(15000, function() return has_rule("unknown-instruction") end, 50) then
  fail("no finding: " .. vim.inspect(vim.diagnostic.get(0)))
end
local answers = vim.lsp.buf_request_sync(0, "textDocument/hover", {
  textDocument = vim.lsp.util.make_text_document_params(),
  position = { line = 8, character = 5 },
}, 5000)
local hover = vim.inspect(answers)
if not hover:find("mov", 1, true) then
  fail("no hover: " .. hover)
end
local group = vim.fn.synIDattr(vim.fn.synID(9, 6, 1), "name")
if group ~= "visaMnemonic" then
  fail("`mov` is coloured as " .. group)
end
if #complaints > 0 then
  fail("the server complains: " .. table.concat(complaints, "; "))
end
vim.cmd("qa!")
