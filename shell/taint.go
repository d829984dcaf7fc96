package shell

import "strings"

// loadsCode reports whether a variable can make a program load or run code, or read its
// options otherwise, so that a command under it is not the command the rule names. It is
// for variables of the shell: they reach other programs only if they were exported before.
// What is set for a command must be harmless, see harmlessVariable.
func loadsCode(name string) bool {
	if codeVariables.has(name) {
		return true
	}
	if plainVariables.has(name) {
		return false
	}
	if len(name) > 11 && strings.EqualFold(name[:11], "npm_config_") { // in any letter case
		return true
	}
	return hasPrefixIn(name, codePrefixes) || hasSuffixIn(name, codeSuffixes)
}

// assignedCode tries the value of a variable that other programs run: PAGER, EDITOR,
// GIT_SSH_COMMAND. Lists of directories are no commands.
func (w *walker) assignedCode(i int, name string, value Word) {
	if value.Text == "" || !value.Known() || !loadsCode(name) || name == "IFS" || namesDirectories(name) {
		return
	}
	code := strings.TrimPrefix(value.Text, "!")
	switch name { // those of the shell run like a trap, wherever the script is by then
	case "PS0", "PS1", "PS2", "PS3", "PS4": // of a prompt only what is expanded
		code = ": << prompt\n" + value.Text + "\nprompt"
		w.later(true, func() { w.code(i, Guess, name, code, value.Span) })
	case "PROMPT_COMMAND":
		w.later(true, func() { w.code(i, Guess, name, code, value.Span) })
	default:
		w.code(i, Guess, name, code, value.Span)
	}
}

// namesDirectories: the variable holds directories, not a command.
func namesDirectories(name string) bool {
	return strings.HasSuffix(name, "PATH") || strings.HasSuffix(name, "HOME")
}

// plainVariables only look as if they could: they switch output or caching.
var plainVariables = wordSet{list: "PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED PYTHONIOENCODING PYTHONUTF8 PYTHONFAULTHANDLER CARGO_TERM_COLOR " +
	"CARGO_NET_OFFLINE CARGO_INCREMENTAL RUST_BACKTRACE NPM_CONFIG_LOGLEVEL npm_config_loglevel PIP_NO_INPUT " +
	"PIP_DISABLE_PIP_VERSION_CHECK PIP_NO_CACHE_DIR PIP_QUIET DOCKER_BUILDKIT DOCKER_DEFAULT_PLATFORM COMPOSE_PROJECT_NAME"}

var codePrefixes = []string{
	"LD_", "DYLD_", "GIT_", "BASH_", "PYTHON", "PERL5", "RUBY", "GEM_", "BUNDLE_", "NODE_OPTIONS", "NODE_PATH",
	"GAWK_", "MAWK_", "GCOV_", "LLVM_PROFILE", "GMON_", "npm_config_", "NPM_CONFIG_", "YARN_", "PIP_", "CARGO_", "RUSTC", "RUSTDOC", "LUA_", "GUILE_", "JULIA_",
	"SSH_", "SUDO_", "DOCKER_", "COMPOSE_", "PHP_", "PHPRC", "R_", "ERL_", "ELIXIR_", "GCONV_", "GTK_", "QT_", "MAKE", "ANSIBLE_", "TF_CLI_", "LESSKEY", "GROFF_", "PYTEST_",
	// Which version of a tool runs, where it is, and what it loads.
	"VOLTA_", "NVM_", "FNM_", "NODENV_", "PYENV_", "RBENV_", "GOENV_", "ASDF_", "MISE_", "SDKMAN_", "RUSTUP_", "COREPACK_", "UV_", "POETRY_", "PIPENV_", "PDM_",
	"OMPI_MCA_", "PMIX_MCA_", "PRTE_MCA_", "HARNESS_PERL", "DENO_", "DOTNET_", "CORECLR_", "HOMEBREW_", "NIX_", "GUIX_", "CCACHE_", "SCCACHE_", "DISTCC_", "PKG_CONFIG", "MSBUILD", "GUNICORN_", "CLOUDSDK_", "ELECTRON_",
}

var codeSuffixes = []string{
	"_OPTIONS", "_OPTS", "_PAGER", "_EDITOR", "_PRELOAD", "_WRAPPER", "_ASKPASS", "_SHELL", "_COMMAND", "_STARTUP", "_BROWSER",
	"_LAUNCHER", "_CMD_ARGS", "_LIBRARY_PATH", "_INCLUDE_PATH", "_MODULE_PATH", "_EXEC_PATH", "_HOME", "_RSH", "_STARTUP_HOOKS",
}

var codeVariables = wordSet{list: "PATH IFS ENV SHELL SHELLOPTS BASHOPTS PS0 PS1 PS2 PS3 PS4 PROMPT_COMMAND CDPATH FPATH ZDOTDIR INPUTRC HISTFILE HOME " +
	"XDG_CONFIG_HOME XDG_DATA_HOME XDG_DATA_DIRS XDG_CONFIG_DIRS EXECIGNORE GLOBIGNORE PAGER EDITOR VISUAL FCEDIT BROWSER LESS " +
	"LESSOPEN LESSCLOSE MANOPT MANPATH MORE CLASSPATH JAVA_HOME CC CXX CPP LD AR AS FC CFLAGS CXXFLAGS LDFLAGS CPPFLAGS GNUMAKEFLAGS " +
	"MFLAGS GOFLAGS GOROOT GOPATH GOENV GOTOOLCHAIN GOTOOLDIR GOPROXY GOCACHEPROG CGO_CFLAGS CGO_LDFLAGS PERLLIB AWKPATH AWKLIBPATH " +
	"RIPGREP_CONFIG_PATH ZIPOPT UNZIP TAPE RSYNC_RSH CVS_RSH SVN_SSH KUBECONFIG AWS_CONFIG_FILE OPENSSL_CONF OPENSSL_ENGINES " +
	"OPENSSL_MODULES MODULEPATH TCLLIBPATH PKG_CONFIG_PATH NIX_PATH TERMINFO TERMCAP LOCPATH PSModulePath PROMPT HOSTALIASES MANPAGER " +
	"RUSTFLAGS DJANGO_SETTINGS_MODULE KUBECTL_EXTERNAL_DIFF CLOUDSDK_PYTHON HELM_PLUGINS GRADLE_USER_HOME GOWORK GOMODCACHE GOCACHE " +
	"DEVELOPER_DIR SDKROOT TOOLCHAINS GETCONF_DIR VIRTUAL_ENV CONDA_PREFIX CONDA_EXE BUN_INSTALL N_PREFIX NULLCMD READNULLCMD COMPILER_PATH GCC_EXEC_PREFIX " +
	"LIBRARY_PATH CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH HOSTCC HOSTCXX CROSS_COMPILE AWS_SHARED_CREDENTIALS_FILE GOSUMDB GONOSUMDB GODEBUG " +
	"NODE_EXTRA_CA_CERTS NODE_REPL_EXTERNAL_MODULE NLSPATH HGRCPATH HGEDITOR TEXINPUTS GNUPGHOME FLASK_APP PSQLRC MAVEN_CONFIG MAVEN_ARGS HELM_BIN " +
	"ANTHROPIC_BASE_URL OPENAI_BASE_URL " +
	"CONFIG_SITE TG_TF_PATH TERRAGRUNT_TFPATH RSYNC_CONNECT_PROG SWIFT_EXEC IRBRC CMAKE_TOOLCHAIN_FILE CMAKE_PROJECT_INCLUDE APT_CONFIG " +
	"JAVACMD WGETRC CURL_HOME VIMINIT EXINIT MYVIMRC TZDIR " +
	// They say how ps reads its options, and what it shows: -e may be the environment.
	"PS_PERSONALITY PS_FORMAT CMD_ENV I_WANT_A_BROKEN_PS " +
	// And how others read theirs.
	"POSIXLY_CORRECT BC_ENV_ARGS MAGIC " +
	// They name a file that is written or read by whatever runs.
	"SSLKEYLOGFILE MALLOC_TRACE GLIBC_TUNABLES NODE_V8_COVERAGE NODE_REDIRECT_WARNINGS NODE_COMPILE_CACHE NODE_ICU_DATA NODE_REPL_HISTORY " +
	"DEPENDENCIES_OUTPUT SUNPRO_DEPENDENCIES TCL_LIBRARY TK_LIBRARY"}

// taintBy takes the command out of rules for a variable that is set for it. What is known
// to only read heeds few names.
func (c *Command) taintBy(a Assign) {
	switch {
	case len(c.Words) == 0 || c.unchangedBy(a):
	case loadsCode(a.Name):
		if c.Taint == "" {
			c.Taint = loadingTaint(a.Name)
		}
	default:
		if c.Unlisted != "" && c.suspect {
			return
		}
		c.Unlisted = "setting " + a.Name + " may change what the command runs; " + a.Name + " is not on the list of harmless variables"
		c.suspect = c.suspect || c.suspects(a)
	}
}

// suspects reports whether a variable that is not listed speaks against a program that is known to
// only read: its value may be the name of a file or an option, and the program may heed it.
func (c *Command) suspects(a Assign) bool {
	program := c.Program()
	if !isPlainValue(a.Value.Text) {
		return hasSuffixIn(a.Name, suspectSuffixes) || !readNoOptions.has(program)
	}
	return !isSwitch(a.Value) && !readNoOptions.has(program) && !readListed.has(program)
}

// unchangedBy reports whether a variable does no harm to this command. In make a value is
// expanded, and put into recipes.
func (c *Command) unchangedBy(a Assign) bool {
	return harmlessVariable(a.Name, a.Value) && (!listed("make gmake", c.Program()) || isMakeText(a.Value.Text))
}

// isMakeText: make and the shells that it starts take the text for itself.
func isMakeText(text string) bool {
	for i := range len(text) {
		if !isNameByte(text[i]) && strings.IndexByte("-./:,=@+%", text[i]) < 0 {
			return false
		}
	}
	return true
}

func loadingTaint(name string) string { return "the assignment of " + name + " can load or run code" }

// readNoOptions are programs and builtins that take no options from variables. Others may:
// tar runs xz, which does what XZ_OPT says.
var readNoOptions = wordSet{list: "echo printf true false : test [ [[ (( let pwd cd export declare typeset local readonly unset set shift read eval wait " +
	"ls dir cat head tail wc cut tr uniq nl tac seq sleep basename dirname whoami env printenv"}

// readListed heed variables, but those that name a file or an option are all known to load code,
// like MAGIC of file and GAWK_PERSIST_FILE of gawk.
var readListed = wordSet{list: "git grep egrep fgrep rg find stat file du df diff cmp comm paste fold date id uname which tree column rev od xxd hexdump strings " +
	"md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum realpath readlink ps jq sed gsed awk gawk mawk nawk sort expr numfmt command type " +
	"compgen hash help jobs"}

// suspectSuffixes end the names that mostly say where something is, or how a program is
// called.
var suspectSuffixes = []string{
	"PATH", "DIR", "DIRS", "ROOT", "PREFIX", "HOME", "FILE", "FILES", "RC", "CONF", "CONFIG", "PROFILE", "LIB", "LIBS", "MODULE", "MODULES", "PLUGIN", "PLUGINS",
	"HOOK", "HOOKS", "CMD", "COMMAND", "ARGS", "FLAGS", "OPTS", "OPTIONS", "PROGRAM", "BIN", "EXE", "INIT", "SCRIPT", "LESS", "MAGIC",
}

// reboundValues looks for a variable that is harmless because of the program that it names, where
// the script gives that name to something else: cat() { sh; }; export -f cat; PAGER=cat git log
func (w *walker) reboundValues() {
	if w.rebound == nil || w.taintAll != "" {
		return
	}
	for i := range w.s.Commands {
		c := &w.s.Commands[i]
		for _, a := range c.Assigns {
			w.reboundValue(a.Name, a.Value.Text)
		}
		for _, word := range c.Words {
			if name, value, ok := strings.Cut(word.Text, "="); ok {
				w.reboundValue(name, value)
			}
		}
	}
}

func (w *walker) reboundValue(name, value string) {
	if why := w.rebound[value]; why != "" && loadsCode(name) && w.taintAll == "" {
		w.taintAll = why
	}
}

// rebind notes that a name no longer means the program of that name.
func (w *walker) rebind(name, why string) {
	if name == "" || name == "command_not_found_handle" || name == "command_not_found_handler" { // of bash, of zsh
		w.anyCall = w.anyCall || name != ""
		w.taintAll = "what an unknown name runs is redefined"
		return
	}
	if w.rebound == nil {
		w.rebound = make(map[string]string)
	}
	w.rebound[name] = name + " " + why
	if w.trusted[name] {
		w.mayRun("what was taken for a number may be something else", Span{Start: w.here(), End: w.here()})
	}
}

// finish marks the commands that the script as a whole takes out of allow rules
// and the read-only list.
func (w *walker) finish() {
	w.runsWhatItWrites()
	w.recount()
	w.exportsValues()
	w.reboundValues()
	if w.taintAll == "" && w.rebound == nil && w.exported == nil {
		return
	}
	for i := range w.s.Commands {
		c := &w.s.Commands[i]
		for _, a := range w.exported {
			c.taintBy(a)
		}
		switch {
		case c.Taint != "" || len(c.Words) == 0 && len(c.Redirects) == 0: // zsh runs $READNULLCMD for < file
		case w.taintAll != "":
			c.Taint = w.taintAll
		default:
			c.Taint = w.rebound[c.first()]
		}
	}
}
