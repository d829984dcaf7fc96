package main

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// substitute is what is done about a command of a page that cannot run as it stands,
// because it needs a network or does not end: another command in its place, or a test
// that does what the page says.
type substitute struct {
	command string
	test    string // FILE NAME
}

// substitutes are all of them, by page and command: as few as can be.
var substitutes = map[string]map[string]substitute{
	"README.md": {
		"make demo": {command: `make -n -C "$CHECKOUT" demo >/dev/null`}, // scripts/stranger runs it, on a machine of its own
		"go install github.com/assent-dev/assent/cmd/assent@latest github.com/assent-dev/assent/cmd/assent-hook@latest": {
			command: `go -C "$CHECKOUT" list github.com/assent-dev/assent/cmd/assent github.com/assent-dev/assent/cmd/assent-hook >/dev/null`,
		},
	},
	"docs/start-go.md": {
		"go get github.com/assent-dev/assent": {
			command: `go mod edit -require github.com/assent-dev/assent@v0.0.0 -replace "github.com/assent-dev/assent=$CHECKOUT" && cp "$CHECKOUT/go.sum" . && go env -w CGO_ENABLED=0 GOFLAGS='-mod=mod -trimpath'`,
		},
	},
	"examples/sdk/README.md": {
		"npm install --no-save --omit=optional @anthropic-ai/claude-agent-sdk zod": {test: "cmd/assent/agent_sdk_test.go TestW6_TheSDKExample"},
		"ASSENT=$(command -v assent) node support.mjs":                             {test: "cmd/assent/agent_sdk_test.go TestW6_TheSDKExample"},
	},
	"examples/webserver/README.md": {
		"go run ./examples/webserver -dir examples/policy -trust": {test: "examples/webserver/readme_test.go TestReadme"},
		`curl -s -H 'Content-Type: application/json' http://127.0.0.1:8080/check \` + "\n" +
			`  -d '{"tool_name": "Bash", "tool_input": {"command": "cd web && git push --force"}}'`: {test: "examples/webserver/readme_test.go TestReadme"},
	},
}

// instead is what runs in the place of a command.
func (b *box) instead(command string) string {
	s, ok := substitutes[b.page][command]
	switch {
	case !ok:
		return command
	case s.command != "":
		return s.command
	}
	return ":"
}

// A substitute is of use only as long as its page has that command and its test is there.
func TestDocumentation_Substitutes(t *testing.T) {
	all := pages(t)
	for page, commands := range substitutes {
		text, err := os.ReadFile(all[page])
		if err != nil {
			t.Fatal(err)
		}
		shown := map[string]bool{}
		for _, part := range splitPage(string(text)) {
			if part.info == "console" {
				some, _ := dialogue(part.body)
				for _, command := range some {
					shown[command] = true
				}
			}
		}
		for command, s := range commands {
			if !shown[command] {
				t.Errorf("%s does not say %q any more", page, command)
			}
			if (s.command == "") == (s.test == "") {
				t.Errorf("%s: %q needs another command or a test, one of the two", page, command)
			}
			if file, name, ok := strings.Cut(s.test, " "); ok && !hasTest(t, file, name) {
				t.Errorf("%s: %q: %s has no %s", page, command, file, name)
			}
		}
	}
}

func hasTest(t *testing.T, file, name string) bool {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", filepath.FromSlash(file)), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Scope.Lookup(name) != nil
}

// checkout is the directory with the sources.
func checkout(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

var goEnvironment = sync.OnceValues(func() ([]byte, error) {
	return exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOSUMDB").Output()
})

// goEnv lets the go command work in a home directory that is empty, with the caches of the
// one who runs the tests.
func goEnv(t *testing.T) []string {
	t.Helper()
	out, err := goEnvironment()
	values := strings.Split(string(out), "\n")
	if err != nil || len(values) < 4 {
		t.Fatalf("%q, %v", out, err)
	}
	return []string{
		"GOCACHE=" + values[0], "GOMODCACHE=" + values[1], "GOPROXY=" + values[2], "GOSUMDB=" + values[3],
		"GOTOOLCHAIN=local", "CHECKOUT=" + checkout(t),
	}
}
