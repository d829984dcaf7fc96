package shell

import "strings"

// A variable that is set for a command, or exported, is harmless only if it is listed here,
// by its name or by its value: what any program does with any name cannot be known. In the
// programs that read them, the names below switch output, a mode or a limit, or hold data;
// none says what to load or run. A number or a yes or no says nothing of the kind either,
// unless the name is known to load code, or may hold the name of a file, which may be 1.

// harmlessVariable reports whether a variable with this value can be set for a command that
// then still is the command that a rule names.
func harmlessVariable(name string, value Word) bool {
	text := value.Text
	switch {
	case plainVariables.has(name) || textVariables.has(name):
		return true
	case harmlessNames.has(name), strings.HasPrefix(name, "LC_"):
		return isPlainValue(text)
	case name == "TZ":
		return value.Known() && !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, ":") && !strings.Contains(text, "..")
	case loadsCode(name):
		return value.Known() && harmlessValue(name, text)
	case addressNames.has(name):
		return isAddress(text)
	}
	return isSwitch(value) && (text == "" || !mayName(name)) || hasPrefixIn(name, dataPrefixes) || hasSuffixIn(name, secretSuffixes) || hasSuffixIn(name, switchSuffixes) && isPlainValue(text)
}

// mayName: by its name the variable may hold that of a file or a program.
func mayName(name string) bool {
	return hasSuffixIn(name, programSuffixes) || hasSuffixIn(name, placeSuffixes) && !hasPrefixIn(name, switchPrefixes)
}

// placeSuffixes end the names that mostly say where something is, unless the name begins like that
// of a switch: SKIP_PLUGINS.
var placeSuffixes = []string{
	"PATH", "FILE", "FILES", "DIR", "DIRS", "ROOT", "PREFIX", "HOME", "RC", "CONF", "CONFIG", "LIB", "LIBS", "LIBRARY", "LIBRARIES", "SRC", "SOURCE", "DATA", "OUTPUT",
	"STARTUP", "PROCESS_START", "TOOL", "CMD", "COMMAND", "PROGRAM", "MODULE", "MODULES", "PLUGIN", "PLUGINS", "HOOK", "INIT", "SCRIPT", "INCLUDE", "INCLUDES", "SOCK", "SOCKET",
	"ARGS", "FLAGS", "OPTS", "OPTIONS",
}

// switchPrefixes begin the names of switches.
var switchPrefixes = []string{
	"NO_", "SKIP_", "RUN_", "ENABLE_", "DISABLE_", "USE_", "WITH_", "WITHOUT_", "IS_", "HAS_", "ALLOW_", "FORCE_", "IGNORE_", "KEEP_", "SHOW_", "PRINT_", "CAPTURE_", "UPDATE_", "VERBOSE_", "DEBUG_",
}

// programSuffixes end the names of programs, and of what is only ever a file.
var programSuffixes = []string{
	"_PATH", "_FILE", "_CONFIG", "_RC", "_EXEC", "_EXE", "_PROG", "_PROGRAM", "_BIN", "_CMD", "_SCRIPT", "_PLUGIN", "_HOOK", "_PERL", "_PYTHON", "_COMPILER", "_LINKER",
}

// harmlessValues are the values with which variables that can load or run code do not. A value
// is one of the texts, or consists of the words; # stands for a number.
var harmlessValues = []struct{ names, texts, words string }{
	{names: "PAGER GIT_PAGER MANPAGER SYSTEMD_PAGER AWS_PAGER GH_PAGER GLAB_PAGER BAT_PAGER DELTA_PAGER PSQL_PAGER", texts: "cat", words: " "},
	{names: "EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR HGEDITOR KUBE_EDITOR", texts: "true : cat"},
	{names: "GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS GIT_MERGE_AUTOEDIT GIT_ADVICE GIT_LFS_SKIP_SMUDGE GIT_CONFIG_NOSYSTEM GIT_CURL_VERBOSE", texts: "0 1 true false yes no"},
	{names: "GIT_TRACE GIT_TRACE_PERFORMANCE GIT_TRACE_SETUP GIT_TRACE_PACKET GIT_TRACE_CURL GIT_TRACE2", texts: "0 1 true false"},
	{names: "GOFLAGS", words: "-mod=mod -mod=vendor -mod=readonly -race -v -x -a -short -trimpath -failfast -buildvcs=false -buildvcs=true -buildvcs=auto -count=# -p=# -parallel=#"},
	{names: "GOTOOLCHAIN", texts: "local"},
	{names: "GOWORK GOPROXY", texts: "off"},
	{
		names: "NODE_OPTIONS", words: "--max-old-space-size=# --max_old_space_size=# --max-semi-space-size=# --max-http-header-size=# --stack-trace-limit=# " +
			"--experimental-vm-modules --no-experimental-fetch --no-warnings --trace-warnings --no-deprecation --trace-deprecation --throw-deprecation " +
			"--pending-deprecation --trace-uncaught --enable-source-maps --openssl-legacy-provider --unhandled-rejections=strict --unhandled-rejections=warn " +
			"--dns-result-order=ipv4first",
	},
	{
		names: "JAVA_OPTS JAVA_TOOL_OPTIONS MAVEN_OPTS GRADLE_OPTS SBT_OPTS",
		words: "-Xmx#m -Xmx#M -Xmx#g -Xmx#G -Xms#m -Xms#M -Xms#g -Xms#G -Xss#m -Xss#M -Dfile.encoding=UTF-8 -Dorg.gradle.daemon=false",
	},
	{names: "RUSTFLAGS RUSTDOCFLAGS", texts: "-Dwarnings -Awarnings", words: "-D -A warnings -Ctarget-cpu=native"},
	{names: "CFLAGS CXXFLAGS", words: "-O -O0 -O1 -O2 -O3 -Og -Os -g -g3 -pg -Wall -Wextra -Werror -pedantic -fPIC -pthread"},
	{names: "LESS", texts: "R -R FRX -FRX FX -FX FR -FR"},
}

// harmlessValue reports whether the variable is listed with the value.
func harmlessValue(name, value string) bool {
	for i := range harmlessValues {
		row := &harmlessValues[i]
		switch {
		case !listed(row.names, name):
		case value == "":
			return row.words != ""
		default:
			return listed(row.texts, value) || strings.TrimSpace(row.words) != "" && allIn(row.words, value)
		}
	}
	return false
}

// allIn: every word of the value is one of the words.
func allIn(words, value string) bool {
	for word := range strings.FieldsSeq(value) {
		if word = withoutNumber(word); !listed(words, word) {
			return false
		}
	}
	return true
}

// withoutNumber is the word with # for the number in or behind its value: -Xmx4g, -count=1.
func withoutNumber(word string) string {
	start := strings.IndexAny(word, "0123456789")
	if start < 0 || !strings.HasPrefix(word, "-X") && word[start-min(start, 1)] != '=' {
		return word
	}
	end := start
	for end < len(word) && word[end] >= '0' && word[end] <= '9' {
		end++
	}
	return word[:start] + "#" + word[end:]
}

// isSwitch: nothing, a number, or a word that turns something on or off.
func isSwitch(value Word) bool {
	return value.Known() && (strings.Trim(value.Text, "0123456789") == "" || listed("true false yes no on off", value.Text))
}

// MayLoadCode reports whether a variable that is set for a whole call, whatever the command,
// speaks against it. A plain word under a name that is not listed does not.
func MayLoadCode(name, value string) bool {
	return !isName(name) || !harmlessVariable(name, Word{Text: value}) && (loadsCode(name) || !isPlainValue(value))
}

// textVariables may hold anything.
var textVariables = wordSet{list: "DEBUG RUST_LOG NO_COLOR FORCE_COLOR CI PORT LS_COLORS GREP_COLOR GREP_COLORS JQ_COLORS GCC_COLORS COLUMNS LINES TIMEFORMAT " +
	"GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE " +
	"API_KEY TOKEN SECRET PASSWORD PGPASSWORD MYSQL_PWD DB_PASS"}

// harmlessNames have a value that is one plain word: where it could be a path, some of them
// would name a file.
var harmlessNames = wordSet{list: "LANG LANGUAGE TERM COLORTERM CLICOLOR CLICOLOR_FORCE COLOR TIME_STYLE BLOCK_SIZE BLOCKSIZE QUOTING_STYLE " +
	"CONTINUOUS_INTEGRATION DEBIAN_FRONTEND NODE_ENV VERBOSE QUIET V LOG_LEVEL LOGLEVEL HOST HOSTNAME BIND ADDRESS DRY_RUN SEED WATCH HEADLESS " +
	"CGO_ENABLED GOOS GOARCH GOARM GOARM64 GOAMD64 GO386 GOMIPS GOMAXPROCS GOGC GOMEMLIMIT GOTRACEBACK GO111MODULE " +
	"RUST_LOG_STYLE RUST_MIN_STACK OMP_NUM_THREADS CUDA_VISIBLE_DEVICES CUDA_LAUNCH_BLOCKING TOKENIZERS_PARALLELISM TF_CPP_MIN_LOG_LEVEL " +
	"HF_HUB_OFFLINE TRANSFORMERS_OFFLINE UV_NO_PROGRESS UV_OFFLINE UV_FROZEN UV_LOCKED TF_LOG TF_IN_AUTOMATION TF_INPUT GENERATE_SOURCEMAP " +
	"TS_NODE_TRANSPILE_ONLY HUSKY HOMEBREW_NO_AUTO_UPDATE HOMEBREW_NO_INSTALL_CLEANUP HOMEBREW_NO_ENV_HINTS HOMEBREW_NO_ANALYTICS " +
	"DOTNET_CLI_TELEMETRY_OPTOUT DOTNET_NOLOGO NEXT_TELEMETRY_DISABLED DO_NOT_TRACK PUPPETEER_SKIP_DOWNLOAD PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD " +
	"DB_HOST DB_NAME DB_USER REDIS_HOST POSTGRES_HOST POSTGRES_DB POSTGRES_USER MYSQL_HOST MYSQL_DATABASE MYSQL_USER " +
	"PGHOST PGPORT PGUSER PGDATABASE AWS_PROFILE AWS_REGION AWS_DEFAULT_REGION AWS_DEFAULT_OUTPUT AWS_ACCESS_KEY_ID APP_NAME SOURCE_DATE_EPOCH"}

// switchSuffixes end the names of modes and limits, with one plain word as the value.
var switchSuffixes = []string{
	"_ENV", "_PORT", "_LOG_LEVEL", "_LOGLEVEL", "_DEBUG", "_VERBOSE", "_QUIET", "_COLOR", "_TIMEOUT", "_RETRIES", "_WORKERS", "_THREADS", "_JOBS",
	"_CONCURRENCY", "_ENABLED", "_DISABLED", "_SEED", "_REGION", "_COUNT", "_LIMIT", "_DRY_RUN",
}

// secretSuffixes end the names of secrets: they say who one is, not what is done.
var secretSuffixes = []string{"_TOKEN", "_API_KEY", "_ACCESS_KEY", "_SECRET_KEY", "_SECRET", "_PASSWORD"}

// dataPrefixes begin the names that builds for browsers copy into what they make.
var dataPrefixes = []string{"VITE_", "NEXT_PUBLIC_", "NUXT_PUBLIC_", "REACT_APP_", "EXPO_PUBLIC_", "PUBLIC_", "VUE_APP_"}

// addressNames hold the address of a service.
var addressNames = wordSet{list: "DATABASE_URL DATABASE_URI TEST_DATABASE_URL DB_URL DB_URI REDIS_URL MONGO_URL MONGO_URI MONGODB_URL MONGODB_URI POSTGRES_URL " +
	"MYSQL_URL RABBITMQ_URL AMQP_URL API_URL APP_URL BASE_URL SITE_URL"}

// isAddress: an address on the network. Others name a file, or a driver with settings that
// run statements.
func isAddress(text string) bool {
	scheme, rest, ok := strings.Cut(text, "://")
	return ok && listed("http https postgres postgresql mysql mariadb mongodb mongodb+srv redis rediss amqp amqps", scheme) && !strings.ContainsAny(rest, "; \t\n\\")
}

// isPlainValue: one word that is no path, no option and no code.
func isPlainValue(value string) bool {
	for i := range len(value) {
		switch c := value[i]; {
		case lowerByte(c) >= 'a' && lowerByte(c) <= 'z', c >= '0' && c <= '9', strings.IndexByte("_,@+", c) >= 0:
		case i > 0 && strings.IndexByte(".:-", c) >= 0 && value[i-1] != c:
		default:
			return false
		}
	}
	return true
}

func hasPrefixIn(name string, prefixes []string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

func hasSuffixIn(name string, suffixes []string) bool {
	for _, suffix := range suffixes {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return false
}
