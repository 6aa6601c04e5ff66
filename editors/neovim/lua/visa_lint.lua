-- The language server of visa-lint for Neovim 0.7 and later, without further plugins.

local M = {}

--- Starts the server for vISA buffers.
--- @param options table|nil cmd: the program and its arguments; settings: what `visa-lint` is configured to
function M.setup(options)
  options = options or {}
  local settings = options.settings or {}
  local clients = {}

  local function attach(buffer)
    local file = vim.api.nvim_buf_get_name(buffer)
    local found = vim.fn.findfile("visa-lint.toml", vim.fn.fnamemodify(file, ":p:h") .. ";")
    local root = vim.fn.fnamemodify(found ~= "" and found or file, ":p:h")
    local id = clients[root]
    if not id or not vim.lsp.get_client_by_id(id) then
      local start = vim.lsp.start_client
      id = start({
        name = "visa-lint",
        cmd = options.cmd or { "visa-lint", "lsp" },
        root_dir = root,
        init_options = settings,
        settings = { ["visa-lint"] = settings },
        on_attach = options.on_attach,
        on_exit = function()
          clients[root] = nil
        end,
      })
      clients[root] = id
    end
    if id then
      vim.lsp.buf_attach_client(buffer, id)
    end
  end

  vim.api.nvim_create_autocmd("FileType", {
    pattern = "visa",
    callback = function(event)
      attach(event.buf)
    end,
  })
end

return M
