package policy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
)

// TestP9_ExplainAuto: an explanation says what the classifier says, or why it is not
// asked.
func TestP9_ExplainAuto(t *testing.T) {
	p := Permissions{Allow: []string{"Bash(make test)"}, Ask: []string{"Bash(make)"}, Deny: []string{"Bash(make clean)"}}
	for _, c := range []struct{ call, outcome, risk, reason string }{
		{"Bash(touch x)", "approve", "low", "ordinary change"},
		{"Edit(src/main.go)", "approve", "low", "inside the working directories"},
		{"Bash(git push)", "refuse", "medium", "publishes commits"},
		{"Bash(terraform destroy)", "refuse", "high", "destroys infrastructure"},
		{"WebFetch(https://example.com/)", "refuse", "medium", "example.com"},
		{"Read(/etc/hosts)", "not asked", "", "settled before"},
		{"Bash(ls)", "not asked", "", "settled before: it only reads"},
		{"Bash(make test)", "not asked", "", "settled before: rule Bash(make test)"},
		{"Bash(make clean)", "not asked", "", "settled before: rule Bash(make clean)"},
		{"Bash(make)", "not asked", "", "a person is to be asked: rule Bash(make)"},
		{"Edit(.git/config)", "not asked", "", "goes to a person every time: safety check"},
		{"Bash(rm -rf ~)", "not asked", "", "goes to a person every time: safety check"},
		{`Read({"path": "x"})`, "not asked", "", "the input is invalid"},
	} {
		call, err := ParseCall(c.call)
		if err != nil {
			t.Fatal(err)
		}
		j := judged(t, newTestChecker(t), Query{Tool: call.Tool, Input: call.Input, Permissions: &p, Mode: permission.Auto})
		v := j.Explain().Classifier
		if v == nil || v.Outcome != c.outcome || v.Risk != c.risk || !strings.Contains(strings.Join(v.Reasons, "; "), c.reason) || v.Model != "" {
			t.Errorf("%s: %+v, want %s, risk %q, %q", c.call, v, c.outcome, c.risk, c.reason)
		}
		j = judged(t, newTestChecker(t), Query{Tool: call.Tool, Input: call.Input, Permissions: &p, Mode: permission.Default})
		if v := j.Explain().Classifier; v != nil {
			t.Errorf("%s: in default mode there is a classifier: %+v", c.call, v)
		}
	}
}

// TestP9_ExplainNamesTheModel: a model of the settings is named and not asked; one of a
// workspace that nobody has trusted is not even named.
func TestP9_ExplainNamesTheModel(t *testing.T) {
	c := onDisk(t, `{"assent": {"classifier": {"model": "theirs"}}}`)
	user := filepath.Join(c.Settings.Home, ".claude", "settings.json")
	if err := os.MkdirAll(filepath.Dir(user), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(user, []byte("{\"assent\":\n{\"classifier\": {\"model\": \"mine\"}}}"), 0o644); err != nil {
		t.Fatal(err)
	}
	j := judged(t, c, Query{Tool: "Bash", Input: []byte(`{"command":"git push"}`), Mode: permission.Auto})
	if v := j.Explain().Classifier; v.Model != "mine" || v.ModelFrom != user+":2" || v.Outcome != "refuse" {
		t.Errorf("%+v", v)
	}
}
