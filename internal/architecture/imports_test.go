package architecture

import (
	"bytes"
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// goList runs `go list` in the module's root and decodes its JSON stream.
func goList[T any](t *testing.T, args ...string) []T {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = "../.."
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	var list []T
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var one T
		if err := decoder.Decode(&one); err == io.EOF {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, one)
	}
}

func TestImportsPointDownward(t *testing.T) {
	packages := goList[pkg](t, "-json=ImportPath,Imports", "./...")
	if !slices.ContainsFunc(packages, func(p pkg) bool { return p.ImportPath == module+"/permission" }) {
		t.Fatalf("go list does not see the module: %v", packages)
	}
	for _, crossing := range violations(packages) {
		t.Error(crossing)
	}
}

// Each kind of crossing is seen, and nothing else is taken for one.
func TestViolations(t *testing.T) {
	tests := []struct{ from, imports, want string }{
		{"rule", "shell", ""},
		{"permission", "rule", ""},
		{"cmd/assent", "shell", ""},
		{"cmd/assent", "settings", ""},
		{"policy", "settings", ""},
		{"settings", "internal/strictjson", ""},
		{"approval/sqlite", "approval", ""},
		{".", "agent", ""},
		{"shell", "rule", "imports only point downward"},
		{"rule", "permission", "imports only point downward"},
		{"permission", "tool", "imports only point downward"},
		{"agent", ".", "imports only point downward"},
		{"hook", "settings", "packages of one row"},
		{"approval/sqlite", "agent", "packages of one row"},
		{"inbox", "agent", "live elsewhere"},
		{"inbox", "clerk", ""},
		{"clerk", "approval", ""},
		{"clerk", "agent", "where no agent runs"},
		{"clerk", "desk", "packages of one row"},
		{"internal/strictjson", "shell", "the ground imports nothing of ours"},
		{"internal/database", "internal/durable", ""},
		{"internal/durable", "internal/database", "the ground imports nothing of ours"},
		{"helpers", "shell", "has no place in the plan"},
		{"internal/helpers", "shell", "has no place in the plan"},
		{"internal/strictjson", "=github.com/go-json-experiment/json/jsontext", ""},
		{"settings", "=github.com/go-json-experiment/json", "the codec"},
		{"hook", "=encoding/json", "use internal/strictjson"},
		{"shell", "=mvdan.cc/sh/v3/syntax", ""},
		{"rule", "=mvdan.cc/sh/v3/syntax", "one package understands bash"},
		{"tool", "=github.com/santhosh-tekuri/jsonschema/v6", "milliseconds at start"},
		{"shell", "=strings", ""},
		{"settings", "=os", ""},
		{"shell", "=os", "shell is pure"},
		{"rule", "=net/http", "rule is pure"},
		{"permission", "=net/url", ""},
		{"permission", "=net", "permission is pure"},
		{"rule", "=path/filepath", "rule is pure"},
		{"rule", "=path", ""},
		{"permission", "=os/exec", "permission is pure"},
		{"permission", "=time", ""},
		{"rule", "=time", "rule is pure"},
	}
	for _, test := range tests {
		path, outside := strings.CutPrefix(test.imports, "=")
		if !outside {
			path = full(test.imports)
		}
		got := strings.Join(violations([]pkg{{ImportPath: full(test.from), Imports: []string{path}}}), "\n")
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s imports %s: %q, want %q", test.from, test.imports, got, test.want)
		}
	}
}

func full(path string) string {
	if path == "." {
		return module
	}
	return module + "/" + path
}
