package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/testlimit"
)

func TestReadTestsRefuses(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"p.json", `{"tests": []}`, "p.json: there are no tests"},
		{"p.json", ``, "p.json:1:1: the text is empty"},
		{"p.json", "{\n \"tests\": [{\"call\": \"Bash(ls)\", \"expct\": \"allow\"}]}", `p.json:2:33: unknown key "expct", at /tests/0/expct`},
		{"p.json", "{\"tests\": [\n// one\n{\"call\": \"Bash(ls)\"}]}", `p.json:3: expect "": want allow, ask or deny`},
		{"p.json", `{"tests": [{"call": "Bash(ls)", "expect": "yes"}]}`, `p.json:1: expect "yes": want allow, ask or deny`},
		{"p.json", `{"tests": [{"expect": "allow"}]}`, "p.json:1: what is to be judged is missing"},
		{"p.json", `{"tests": [{"call": "Bash(ls)", "tool": "Bash", "expect": "allow"}]}`, "p.json:1: a test has either call or tool and input"},
		{"p.json", `{"tests": [{"call": "ls", "expect": "allow"}]}`, "p.json:1: ls is no call"},
		{"p.json", `{"tests": [{"call": "Bash(ls)", "expect": "allow", "mode": "yolo"}]}`, "p.json:1: unknown permission mode"},
		{"p.json", `{"permissions": {"alow": []}, "tests": [{"call": "Bash(ls)", "expect": "allow"}]}`, `unknown key "alow"`},
		{"p.json", `{"tests": [{"call": "Bash(ls)", "expect": "ask", "expect": "allow"}]}`, `the key "expect" occurs twice`},
		{"p.jsonl", "{\"call\": \"Bash(ls)\", \"expect\": \"allow\"}\n\n{\"x\": 1}", `p.jsonl:3:2: unknown key "x"`},
		{"p.jsonl", "\n", "p.jsonl: there are no tests"},
	} {
		got, err := ReadTests(c.file, []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, %v; want %q", c.text, got, err, c.want)
		}
	}
}

const policyTests = `{
  // what we agreed on
  "permissions": {"allow": ["Bash(npm test:*)"], "deny": ["Bash(git push:*)"]},
  "cwd": "/srv/app", "home": "/home/dev", "symlinks": {},
  "tests": [
    {"call": "Bash(npm test)", "expect": "allow", "rule": "Bash(npm test:*)"},
    {"name": "no pushing", "call": "Bash(git push)", "expect": "deny", "reason": "git push"},
    {"call": "Bash(git push)", "expect": "ask"},
    {"call": "Bash(make)", "expect": "allow", "mode": "bypassPermissions"},
    {"tool": "Read", "input": {"file_path": "/etc/passwd"}, "expect": "ask", "rule": "Read"},
    {"call": "Read(l)", "expect": "ask", "symlinks": {"/srv/app/l": "/etc/passwd"}},
    {"call": "Bash(make)", "expect": "ask", "reason": "because of the moon"},
    {"call": "Nope({})", "expect": "ask"}, // trailing comma below
    {"call": "Bash(make)", "expect": "allow", "permissions": {"allow": ["Bash(make)"]}},
  ],
}`

func TestRunTests(t *testing.T) {
	tests, err := ReadTests("p.json", []byte(policyTests))
	if err != nil {
		t.Fatal(err)
	}
	results, err := RunTests(newTestChecker(t), "p.json", tests)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		line       int
		status     TestStatus
		difference string
	}{
		{6, Passed, ""},
		{7, Passed, ""},
		{8, Failed, "expected ask, got deny"},
		{9, Passed, ""},
		{10, Failed, "expected rule Read to decide, got no rule"},
		{11, Passed, ""},
		{12, Failed, "expected a reason with"},
		{13, Undecided, "no such tool: Nope"},
		{14, Passed, ""},
	}
	if len(results) != len(want) {
		t.Fatalf("got %d results, want %d", len(results), len(want))
	}
	for i, w := range want {
		r := results[i]
		if r.Line != w.line || r.Status != w.status || (w.difference == "") != (len(r.Differences) == 0) {
			t.Errorf("test %d: got %+v, want line %d %s", i, r, w.line, w.status)
		}
		if w.difference != "" && !slices.ContainsFunc(r.Differences, func(d string) bool { return strings.Contains(d, w.difference) }) {
			t.Errorf("test %d: got differences %q, want %q", i, r.Differences, w.difference)
		}
	}
	if r := results[2].Rule; r == nil || r.Text != "Bash(git push:*)" {
		t.Errorf("the rule that decided is missing: %+v", results[2])
	}
}

func FuzzReadTests(f *testing.F) {
	f.Add([]byte(policyTests))
	f.Add([]byte(`{"tests":[{"tool":"Read","input":{},"expect":"ask"}],}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		defer testlimit.Watch(t)()
		tests, err := ReadTests("x.json", text)
		if err == nil && len(tests) == 0 {
			t.Fatal("no tests and no error: a file that checks nothing")
		}
		for _, test := range tests {
			if test.Expect == 0 || test.Tool == "" || test.Line == 0 {
				t.Fatalf("incomplete: %+v", test)
			}
		}
	})
}
