package shell

import "strings"

// versionOptions are the arguments with which well-known tools only print their
// version. Left out are tools that load code of the project first (yarn and pnpm by
// what package.json names, mvn by .mvn/jvm.config, dotnet by global.json, pytest, and
// cargo, rustc, rustfmt and rustup, which run the toolchain that rust-toolchain.toml names,
// or install it) or that ask the network (terraform, az).
var versionOptions = []struct{ names, options string }{
	{"node bun npm npx tsc ruby gem perl php gcc g++ cc c++ clang clang++ ld make gmake docker docker-compose podman redis-cli redis-server gradle", "--version -v"},
	{"deno python python2 python3 pip pip3 uv curl wget rsync psql mysql shellcheck pg_dump", "--version -V"},
	{"lua", "-v"},
	{"java javac sqlite3", "--version -version"},
	{"cmake ninja meson ghc elixir julia swift bash zsh vim nvim emacs protoc aws dart code", "--version"},
	{"zig openssl helm kustomize minikube hugo", "version"},
	{"tmux ssh", "-V"},
	{"nginx", "-v -V"},
	{"ffmpeg xcodebuild", "-version"},
	{"gh glab", "--version version"},
	{"kind consul", "version --version"},
	{"vault", "version -version --version"},
	{"dotnet", "--list-sdks --list-runtimes"},
	{"rustup", "--help"},
}

// isClientVersion: kubectl version asks the cluster too, unless told not to.
func isClientVersion(name string, words []Word) bool {
	if name != "kubectl" && name != "oc" || words[1].Text != "version" {
		return false
	}
	client := false
	for _, word := range words[2:] {
		switch word.Text {
		case "--client", "--client=true":
			client = true
		case "--short", "--output=json", "--output=yaml", "-o=json", "-o=yaml", "-ojson", "-oyaml":
		default:
			return false
		}
	}
	return client
}

// isVersionQuery: the tool with this one argument only prints a text.
func (k *knowledge) isVersionQuery(argument string) bool {
	return k.version != "" && (argument == "--help" || longArity(k.version, argument) != notListed)
}

// versionOf are the arguments with which a program only prints its version.
func versionOf(program string) string {
	if strings.HasPrefix(program, "python3.") && isNumber(program[len("python3."):]) {
		program = "python3"
	}
	for _, row := range versionOptions {
		if listed(row.names, program) {
			return row.options
		}
	}
	return ""
}

// doubtGo: only the version and the settings are told without building anything. Either may
// first load the release of Go that go.mod asks for. That is no code of the project: it comes
// from the server, and is checked against the checksum database, that the user has set; it is
// left in the cache of modules.
func doubtGo(words []Word) Doubt {
	if len(words) == 2 && (words[1].Text == "version" || words[1].Text == "--help") {
		return Doubt{}
	}
	if len(words) < 2 || words[1].Text != "env" {
		return doubtOf(words, 0, "may build, download or write")
	}
	for i := 2; i < len(words); i++ {
		text := words[i].Text
		if text != "-json" && text != "-changed" && !isName(text) {
			return doubtOf(words, i, "env with "+text+" may write the settings")
		}
	}
	return Doubt{}
}

// doubtGofmt: without -w the result is printed.
func doubtGofmt(words []Word) Doubt {
	for i := 1; i < len(words); i++ {
		switch text := words[i].Text; {
		case text == "-l" || text == "-d" || text == "-s" || text == "-e":
		case text != "" && text[0] == Unknown:
			return doubtOf(words, i, "a name that is only known when it runs may be an option, and -w writes files")
		case words[i].several() || text == "" || text[0] == '-' || text[0] == Unknown:
			return doubtOf(words, i, "the option "+text+" is not known to only read")
		}
	}
	return Doubt{}
}
