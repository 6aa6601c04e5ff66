;;; visa-mode.el --- Intel vISA text, with visa-lint  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "26.1"))
;; Keywords: languages

;;; Commentary:

;; Highlighting, and the language server of visa-lint through eglot.

;;; Code:

(require 'visa-words)

(defgroup visa nil
  "Intel vISA text."
  :group 'languages)

(defcustom visa-lint-command '("visa-lint" "lsp")
  "The language server and its arguments."
  :type '(repeat string))

(defvar visa-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?% "_" table)
    (modify-syntax-entry ?. "." table)
    table))

(defconst visa-font-lock-keywords
  `((,(concat "^[ \t]*" (regexp-opt visa-directives t) "\\_>") 1 font-lock-preprocessor-face)
    ("^[ \t]*\\([A-Za-z_$@?][A-Za-z0-9_$@?]*\\):" 1 font-lock-constant-face)
    (,(concat "^[ \t]*\\(?:([^)]*)[ \t]*\\)?" (regexp-opt visa-mnemonics t)
              "\\(\\(?:\\.[A-Za-z0-9_.]+\\)?\\)\\_>")
     (1 font-lock-keyword-face) (2 font-lock-builtin-face))
    ("\\(%[A-Za-z0-9_]+\\)" 1 font-lock-variable-name-face)
    (,(concat ":" (regexp-opt visa-types t) "\\_>") 1 font-lock-type-face)
    (,(concat "\\_<type=" (regexp-opt visa-types t) "\\_>") 1 font-lock-type-face)
    ("\\_<\\([A-Za-z_]+\\)=" 1 font-lock-builtin-face)))

;;;###autoload
(define-derived-mode visa-mode prog-mode "vISA"
  "Major mode for Intel vISA text."
  (setq-local comment-start "// ")
  (setq-local comment-start-skip "//+[ \t]*")
  (setq-local font-lock-defaults '(visa-font-lock-keywords))
  (setq-local indent-tabs-mode nil)
  (setq-local tab-width 4))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(?:visaasm\\|isaasm\\)\\'" . visa-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs (cons 'visa-mode (lambda (&rest _) visa-lint-command))))

(provide 'visa-mode)
;;; visa-mode.el ends here
