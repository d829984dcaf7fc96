package builtin

import (
	"fmt"
	"strings"
)

// typeNames are the types that are known, for messages.
const typeNames = "asm, c, clojure, cmake, cpp, cs, css, csv, dart, docker, elixir, elm, erlang, go, graphql, groovy, haskell, html, ini, " +
	"java, js, json, julia, kotlin, less, lisp, lua, make, markdown, md, nix, objc, ocaml, perl, php, proto, ps, py, python, r, rst, " +
	"ruby, rust, sass, scala, sh, sql, svelte, swift, tex, toml, ts, txt, typescript, vim, vue, xml, yaml, zig"

// filesOfType are the name patterns of a type, with the names that ripgrep gives them.
func filesOfType(name string) ([]string, error) {
	patterns := typePatterns(name)
	if patterns == "" {
		return nil, fmt.Errorf("there is no file type %q; use glob, or one of %s", name, typeNames)
	}
	return strings.Fields(patterns), nil
}

func typePatterns(name string) string {
	switch name {
	case "asm":
		return "*.asm *.s *.S"
	case "c":
		return "*.c *.h *.H *.cats"
	case "clojure":
		return "*.clj *.cljc *.cljs *.cljx *.edn"
	case "cmake":
		return "*.cmake CMakeLists.txt"
	case "cpp":
		return "*.C *.cc *.cpp *.cxx *.h *.H *.hh *.hpp *.hxx *.inl *.h.in"
	case "cs":
		return "*.cs *.csx"
	case "css":
		return "*.css *.scss"
	case "csv":
		return "*.csv"
	case "dart":
		return "*.dart"
	case "docker":
		return "*Dockerfile* *.dockerfile"
	case "elixir":
		return "*.ex *.eex *.exs *.heex"
	case "elm":
		return "*.elm"
	case "erlang":
		return "*.erl *.hrl"
	case "go":
		return "*.go"
	case "graphql":
		return "*.graphql *.graphqls"
	case "groovy":
		return "*.groovy *.gradle"
	case "haskell":
		return "*.hs *.lhs *.cpphs *.c2hs *.hsc"
	case "html":
		return "*.htm *.html *.ejs"
	case "ini":
		return "*.ini *.cfg"
	case "java":
		return "*.java *.jsp *.jspx *.properties"
	case "js":
		return "*.js *.jsx *.vue *.cjs *.mjs"
	case "json":
		return "*.json composer.lock *.sarif"
	case "julia":
		return "*.jl"
	case "kotlin":
		return "*.kt *.kts"
	case "less":
		return "*.less"
	case "lisp":
		return "*.el *.jl *.lisp *.lsp *.sc *.scm"
	case "lua":
		return "*.lua"
	case "make":
		return "[Gg][Nn][Uu]makefile [Mm]akefile [Gg][Nn][Uu]makefile.am [Mm]akefile.am [Mm]akefile.in *.mk *.mak"
	case "markdown", "md":
		return "*.markdown *.md *.mdown *.mdwn *.mkd *.mkdn *.mdx"
	case "nix":
		return "*.nix"
	case "objc":
		return "*.h *.m *.mm"
	case "ocaml":
		return "*.ml *.mli *.mll *.mly"
	case "perl":
		return "*.perl *.pl *.PL *.plh *.plx *.pm *.t"
	case "php":
		return "*.php *.php3 *.php4 *.php5 *.php7 *.php8 *.pht *.phtml"
	case "proto":
		return "*.proto"
	case "ps":
		return "*.cdxml *.ps1 *.ps1xml *.psd1 *.psm1"
	case "py", "python":
		return "*.py *.pyi"
	case "r":
		return "*.R *.r *.Rmd *.rmd *.Rnw *.rnw"
	case "rst":
		return "*.rst"
	case "ruby":
		return "*.rb *.rbw *.gemspec Gemfile Rakefile config.ru .irbrc"
	case "rust":
		return "*.rs"
	case "sass":
		return "*.sass *.scss"
	case "scala":
		return "*.scala *.sbt"
	case "sh":
		return "*.sh *.bash *.bashrc *.csh *.cshrc *.ksh *.kshrc *.tcsh *.zsh .bash_login .bash_logout .bash_profile .bashrc .cshrc .kshrc .login .logout .profile .tcshrc .zlogin .zlogout .zprofile .zshenv .zshrc"
	case "sql":
		return "*.sql *.psql"
	case "svelte":
		return "*.svelte"
	case "swift":
		return "*.swift"
	case "tex":
		return "*.tex *.ltx *.cls *.sty *.bib *.dtx *.ins"
	case "toml":
		return "*.toml Cargo.lock"
	case "ts", "typescript":
		return "*.ts *.tsx *.cts *.mts"
	case "txt":
		return "*.txt"
	case "vim":
		return "*.vim .vimrc .gvimrc vimrc gvimrc _vimrc _gvimrc"
	case "vue":
		return "*.vue"
	case "xml":
		return "*.xml *.xml.dist *.dtd *.xjb *.rng *.sch *.xhtml *.xsd *.xsl *.xslt"
	case "yaml":
		return "*.yaml *.yml"
	case "zig":
		return "*.zig"
	}
	return ""
}
