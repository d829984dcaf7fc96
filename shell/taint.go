package shell

import "strings"

// loadsCode reports whether a variable can make a program load or run code, so
// that a command under it is not the command the rule names.
func loadsCode(name string) bool {
	if _, ok := codeVariables[name]; ok {
		return true
	}
	if _, ok := plainVariables[name]; ok {
		return false
	}
	if len(name) > 11 && strings.EqualFold(name[:11], "npm_config_") { // in any letter case
		return true
	}
	for _, prefix := range codePrefixes {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	for _, suffix := range codeSuffixes {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return false
}

// plainVariables only look as if they could: they switch output or caching.
var plainVariables = set("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONFAULTHANDLER",
	"CARGO_TERM_COLOR", "CARGO_NET_OFFLINE", "CARGO_INCREMENTAL", "RUST_BACKTRACE", "NPM_CONFIG_LOGLEVEL", "npm_config_loglevel", "PIP_NO_INPUT",
	"PIP_DISABLE_PIP_VERSION_CHECK", "PIP_NO_CACHE_DIR", "PIP_QUIET", "DOCKER_BUILDKIT", "DOCKER_DEFAULT_PLATFORM", "COMPOSE_PROJECT_NAME")

var codePrefixes = []string{
	"LD_", "DYLD_", "GIT_", "BASH_", "PYTHON", "PERL5", "RUBY", "GEM_", "BUNDLE_", "NODE_OPTIONS", "NODE_PATH",
	"npm_config_", "NPM_CONFIG_", "YARN_", "PIP_", "CARGO_", "RUSTC", "RUSTDOC", "LUA_", "GUILE_", "JULIA_",
	"SSH_", "SUDO_", "DOCKER_", "COMPOSE_", "PHP_", "PHPRC", "R_", "ERL_", "ELIXIR_", "GCONV_", "GTK_", "QT_", "MAKE", "ANSIBLE_", "TF_CLI_", "LESSKEY", "GROFF_", "PYTEST_",
}

var codeSuffixes = []string{
	"_OPTIONS", "_OPTS", "_PAGER", "_EDITOR", "_PRELOAD", "_WRAPPER", "_ASKPASS", "_SHELL", "_COMMAND", "_STARTUP", "_BROWSER",
}

var codeVariables = set(
	"PATH", "IFS", "ENV", "SHELL", "SHELLOPTS", "BASHOPTS", "PS0", "PS1", "PS2", "PS3", "PS4", "PROMPT_COMMAND", "CDPATH", "FPATH", "ZDOTDIR",
	"INPUTRC", "HISTFILE", "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CONFIG_DIRS", "EXECIGNORE", "GLOBIGNORE",
	"PAGER", "EDITOR", "VISUAL", "FCEDIT", "BROWSER", "LESS", "LESSOPEN", "LESSCLOSE", "MANOPT", "MANPATH", "MORE",
	"CLASSPATH", "JAVA_HOME", "CC", "CXX", "CPP", "LD", "AR", "AS", "FC", "CFLAGS", "CXXFLAGS", "LDFLAGS", "CPPFLAGS", "GNUMAKEFLAGS", "MFLAGS",
	"GOFLAGS", "GOROOT", "GOPATH", "GOENV", "GOTOOLCHAIN", "GOTOOLDIR", "GOPROXY", "GOCACHEPROG", "CGO_CFLAGS", "CGO_LDFLAGS",
	"PERLLIB", "AWKPATH", "AWKLIBPATH", "RIPGREP_CONFIG_PATH", "ZIPOPT", "UNZIP", "TAPE", "RSYNC_RSH", "CVS_RSH", "SVN_SSH",
	"KUBECONFIG", "AWS_CONFIG_FILE", "OPENSSL_CONF", "OPENSSL_ENGINES", "OPENSSL_MODULES", "MODULEPATH", "TCLLIBPATH", "PKG_CONFIG_PATH", "NIX_PATH",
	"TERMINFO", "TERMCAP", "LOCPATH", "PSModulePath", "PROMPT", "HOSTALIASES", "MANPAGER", "RUSTFLAGS", "DJANGO_SETTINGS_MODULE", "KUBECTL_EXTERNAL_DIFF", "CLOUDSDK_PYTHON", "HELM_PLUGINS",
	"GRADLE_USER_HOME", "GOWORK", "GOMODCACHE", "GOCACHE", "JAVACMD", "WGETRC", "CURL_HOME", "VIMINIT", "EXINIT", "MYVIMRC", "TZDIR",
)

func set(names ...string) map[string]struct{} {
	m := make(map[string]struct{}, len(names))
	for _, name := range names {
		m[name] = struct{}{}
	}
	return m
}

// rebind notes that a name no longer means the program of that name.
func (w *walker) rebind(name, why string) {
	if name == "" || name == "command_not_found_handle" {
		w.taintAll = "what an unknown name runs is redefined"
		return
	}
	if w.rebound == nil {
		w.rebound = make(map[string]string)
	}
	w.rebound[name] = name + " " + why
}

// finish marks the commands that the script as a whole takes out of allow rules
// and the read-only list.
func (w *walker) finish() {
	w.runsWhatItWrites()
	if w.taintAll == "" && w.rebound == nil {
		return
	}
	for i := range w.s.Commands {
		c := &w.s.Commands[i]
		switch {
		case c.Taint != "" || len(c.Words) == 0:
		case w.taintAll != "":
			c.Taint = w.taintAll
		default:
			c.Taint = w.rebound[c.Words[0].Text]
		}
	}
}

// runsWhatItWrites: a script that the command itself writes and then runs may hold
// anything: printf … > x.sh; sh x.sh.
func (w *walker) runsWhatItWrites() {
	if len(w.s.Commands) < 2 {
		return
	}
	var written map[string]struct{}
	note := func(word Word) {
		if word.Known() && word.Text != "" {
			if written == nil {
				written = make(map[string]struct{})
			}
			written[strings.TrimPrefix(word.Text, "./")] = struct{}{}
		}
	}
	for i := range w.s.Commands {
		c := &w.s.Commands[i]
		for _, r := range c.Redirects {
			if r.Kind == RedirectWrite {
				note(r.Target)
			}
		}
		if c.Program() == "tee" {
			for _, word := range c.Args() {
				note(word)
			}
		}
		if written == nil || c.Taint != "" {
			continue
		}
		for at, word := range c.Words {
			if at > 0 && !runsFile(c.Program()) {
				break
			}
			if _, ok := written[strings.TrimPrefix(word.Text, "./")]; ok && (at > 0 || strings.Contains(word.Text, "/")) {
				c.Taint = "it runs a file that this command writes"
			}
		}
	}
}

// runsFile: the program runs the script it is given.
func runsFile(name string) bool {
	switch name {
	case "sh", "bash", "dash", "zsh", "ksh", "ash", "source", ".", "fish":
		return true
	}
	_, ok := interpreterFlags(name)
	return ok
}
