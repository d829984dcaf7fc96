package permission_test

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
)

func TestA1_RiskAndKin(t *testing.T) {
	w := newWorld(t, lists{})
	for _, c := range []struct {
		tool, input string
		risk        permission.Risk
		kin         string
	}{
		{"Bash", `{"command": "ls -l"}`, permission.LowRisk, "Bash"},
		{"Bash", `{"command": "npm test"}`, permission.MediumRisk, "Bash(npm test)"},
		{"Bash", `{"command": "cd web && npm test && deploy staging | tee log"}`, permission.MediumRisk, "Bash(npm test, deploy, tee)"},
		{"Bash", `{"command": "touch five && make docs && git tag v2 && ./deploy production"}`, permission.MediumRisk, "Bash(touch, make docs, git tag, deploy)"},
		{"Bash", `{"command": "git push --force origin main"}`, permission.HighRisk, "Bash(git push)"},
		{"Bash", `{"command": "rm -rf /"}`, permission.HighRisk, "Bash(rm)"},
		{"Bash", `{"command": "rm -rf ./scratch/y"}`, permission.HighRisk, "Bash(rm)"},
		{"Bash", `{"command": "find . -name '*.tmp' -delete"}`, permission.HighRisk, "Bash(find)"},
		{"Bash", `{"command": "rm -f build/file.o"}`, permission.MediumRisk, "Bash(rm)"},
		{"Bash", `{"command": "mv src/ lib/"}`, permission.MediumRisk, "Bash(mv)"},
		{"Bash", `{"command": "echo 'open"}`, permission.HighRisk, "Bash"},
		{"Bash", `{"command": "eval \"$(cat x)\""}`, permission.HighRisk, "Bash(eval)"},
		{"Bash", `{"command": "cat x | python3"}`, permission.HighRisk, "Bash(python3)"},
		{"Bash", `{"command": "$X"}`, permission.HighRisk, "Bash"},
		{"Bash", `{"command": "python3 x.py"}`, permission.MediumRisk, "Bash(python3)"},
		{"Read", `{"file_path": "/home/dev/proj/main.go"}`, permission.LowRisk, "Read(/home/dev/proj)"},
		{"Write", `{"file_path": "/home/dev/proj/main.go", "content": ""}`, permission.MediumRisk, "Write(/home/dev/proj)"},
		{"Write", `{"file_path": "/home/dev/proj/.git/hooks/pre-commit", "content": ""}`, permission.HighRisk, "Write(/home/dev/proj/.git/hooks)"},
		{"WebFetch", `{"url": "https://example.com/a", "prompt": "p"}`, permission.MediumRisk, "WebFetch(example.com)"},
		{"Bash", `{"command": "` + strings.Repeat("é", 300) + `"}`, permission.MediumRisk, "Bash(" + strings.Repeat("é", 100) + ")"},
	} {
		call, err := w.engine.Validate(w.ctx, permission.Request{Tool: c.tool, Input: []byte(c.input)})
		if err != nil {
			t.Fatalf("%s %s: %v", c.tool, c.input, err)
		}
		if got := permission.RiskOf(call, w.engine.Decide(w.ctx, call)); got != c.risk {
			t.Errorf("%s %s: risk %s, want %s", c.tool, c.input, got, c.risk)
		}
		if got := permission.Kin(call); got != c.kin {
			t.Errorf("%s %s: kin %q, want %q", c.tool, c.input, got, c.kin)
		}
	}
	if got := permission.RiskOf(nil, permission.Decision{}); got != permission.HighRisk {
		t.Errorf("an input that cannot be read has risk %s", got)
	}
}

func TestA1_RiskWords(t *testing.T) {
	for _, r := range []permission.Risk{permission.LowRisk, permission.MediumRisk, permission.HighRisk} {
		if got, err := permission.ParseRisk(r.String()); got != r || err != nil {
			t.Errorf("%s is read as %s, %v", r, got, err)
		}
	}
	if got, err := permission.ParseRisk("none"); got != permission.HighRisk || err == nil {
		t.Errorf("an unknown risk is read as %s, %v", got, err)
	}
	if got := permission.Risk(0).String(); got != "high" {
		t.Errorf("a risk nobody thought about is %q", got)
	}
}
