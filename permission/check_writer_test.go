package permission_test

import (
	"testing"

	"github.com/assent-dev/assent/permission"
)

// TestUnknownWriterAsks: a program that is not known may write the files that it names, so a
// rule against editing one of them asks.
func TestUnknownWriterAsks(t *testing.T) {
	rules := lists{Allow: []string{"Bash(mytool:*)", "Bash(python3:*)"}, Deny: []string{"Edit(.env)", "Edit(src/secret/**)", "Edit(tests/**)", "Edit(Makefile)"}}
	for _, mode := range []permission.Mode{permission.Default, permission.BypassPermissions} {
		w := newWorld(t, rules, inMode(mode))
		for _, command := range []string{
			"mytool .env", "mytool --out src/secret/x", "mytool --out=src/secret/x", "mytool -osrc/secret/x", "mytool src/secret", "mytool Makefile",
			"mytool out=src/secret/x", "mytool src/secret/*", "mytool src/../.env", "python3 gen.py src/secret/x", "npm run gen -- --out src/secret/x",
			`python3 -c 'open(".env","w").write("")'`, `python3 -c 'import os; os.link("x", "src/secret/y")'`, "python3 - <<'E'\nopen('.env','w')\nE",
		} {
			if d := w.bash(command); d.Behavior != ask {
				t.Errorf("%v: %s: %v (%s)", mode, command, d.Behavior, d.Message())
			}
		}
	}
	w := newWorld(t, rules, inMode(permission.BypassPermissions))
	for _, command := range []string{
		"mytool src/public/x", "mytool src", "mytool .", "cat .env", "grep x src/secret/x", "cp .env /tmp/x", "diff .env x", "jq . src/secret/x.json", "make tests", "npm run tests",
		"pytest tests/test_a.py", "python3 -m pytest tests", "npx jest tests/a.test.js", "go test ./tests/...", "npm test -- tests/a.js", "cargo test", "kubectl apply -f src/secret/x.yaml",
		"python3 tests/run.py", "bash src/secret/run.sh", "git add .env", "git diff src/secret", `mytool "$X"`, `python3 -c 'print(open(".env").read())'`, `python3 -c 'open("x","w")'`, `node -e 'fs.writeFileSync("x", "")'`, "eslint tests", "node tests/a.js",
	} {
		if d := w.bash(command); d.Behavior != allow {
			t.Errorf("%s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
}
