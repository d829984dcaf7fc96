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
			"pytest --junitxml=.env", "pytest --junitxml .env", "python3 -m pytest --junitxml=.env", "npx jest --outputFile=.env", "vitest --outputFile .env", "pylint --output=.env x.py", "flake8 -o.env", "rspec -o .env", "npm test -- --outputFile=.env", "trivy fs -o .env .", "mypy --xml-report src/secret/x", "make test OUT=.env",
			"mytool *", "mytool M*", "mytool src/secret/{a,b}", "mytool @.env", "mytool +.env", "mytool x:.env", "mytool a,.env", "mytool --mount=type=bind,dst=.env", "mytool file:.env", "python3 gen.py --out=.env", "node gen.js --out .env",
			"OUT=.env mytool", "env OUT=.env mytool", "export OUT=.env; mytool", "OUT=.env; export OUT; mytool", "OUT=.env python3 gen.py", "mytool <<< .env", "mytool <<< 'x .env'", "mytool <<E\n.env\nE", "echo .env | mytool", "printf 'a\\n.env\\n' | mytool", "cat <<E | mytool\n.env\nE", "find . -name .env | mytool", "mytool < <(echo .env)", "mytool \"$(echo .env)\"", "X=.env; mytool \"$X\"",
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
		"pytest --rootdir=tests", "pytest -x tests/a.py", "pytest --ignore=tests/x tests", "pytest -k a --junitxml=out.xml tests", "jest --config=tests/jest.json", "kubectl apply -f - <<E\n.env\nE", "kubectl get -o yaml -f src/secret/x.yaml", "npm test -- --config=tests/x", "ENV_FILE=.env mytool", "OUT=dist mytool", "CI=1 mytool", "X=.env cat a", "echo .env | grep x", "cat <<< .env",
		"git commit -m 'edit .env'", "mytool 'see .env'", "echo hello | mytool", "OUT=tests pytest --co", "mytool <<E\nhello\nE",
	} {
		if d := w.bash(command); d.Behavior != allow {
			t.Errorf("%s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
}
