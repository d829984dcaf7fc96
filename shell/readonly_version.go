package shell

import "strings"

// versionOptions are the arguments with which well-known tools only print their
// version. Left out are tools that load code of the project first (yarn and pnpm by
// what package.json names, mvn by .mvn/jvm.config, dotnet by global.json, pytest) or
// that ask the network (terraform, az).
var versionOptions = map[string]string{
	"node": "--version -v", "deno": "--version -V", "bun": "--version -v", "npm": "--version -v", "npx": "--version -v", "tsc": "--version -v",
	"python": "--version -V", "python2": "--version -V", "python3": "--version -V", "pip": "--version -V", "pip3": "--version -V", "uv": "--version -V",
	"ruby": "--version -v", "gem": "--version -v", "perl": "--version -v", "php": "--version -v", "lua": "-v",
	"java": "--version -version", "javac": "--version -version",
	"cargo": "--version -V", "rustc": "--version -V", "rustup": "--version -V", "rustfmt": "--version -V",
	"gcc": "--version -v", "g++": "--version -v", "cc": "--version -v", "c++": "--version -v", "clang": "--version -v", "clang++": "--version -v",
	"ld": "--version -v", "make": "--version -v", "gmake": "--version -v", "cmake": "--version", "ninja": "--version", "meson": "--version",
	"ghc": "--version", "elixir": "--version", "julia": "--version", "swift": "--version", "zig": "version",
	"docker": "--version -v", "docker-compose": "--version -v", "podman": "--version -v",
	"bash": "--version", "zsh": "--version", "tmux": "-V", "vim": "--version", "nvim": "--version", "emacs": "--version",
	"curl": "--version -V", "wget": "--version -V", "ssh": "-V", "openssl": "version", "rsync": "--version -V",
	"sqlite3": "--version -version", "psql": "--version -V", "mysql": "--version -V", "redis-cli": "--version -v", "redis-server": "--version -v",
	"nginx": "-v -V", "ffmpeg": "-version", "protoc": "--version",
	"gh": "--version version", "glab": "--version version", "aws": "--version", "helm": "version", "kustomize": "version", "kind": "version --version",
	"minikube": "version", "gradle": "--version -v", "dart": "--version", "hugo": "version", "vault": "version -version --version", "consul": "version --version",
	"dotnet": "--list-sdks --list-runtimes", "xcodebuild": "-version", "shellcheck": "--version -V", "code": "--version", "pg_dump": "--version -V",
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
func isVersionQuery(name, argument string) bool {
	if strings.HasPrefix(name, "python3.") && isNumber(name[len("python3."):]) {
		name = "python3"
	}
	options, ok := versionOptions[name]
	return ok && (argument == "--help" || longArity(options, argument) != notListed)
}

// doubtGo: only the version and the settings are told without building anything.
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
		case words[i].several() || text == "" || text[0] == '-' || text[0] == Unknown:
			return doubtOf(words, i, "the option "+text+" is not known to only read")
		}
	}
	return Doubt{}
}
