package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/internal/testlimit"
)

func TestLine(t *testing.T) {
	c := newTestChecker(t)
	for _, tc := range []struct{ line, id, decision, stage, problem string }{
		{`{"id":"a","tool_name":"Bash","tool_input":{"command":"git push"},"permissions":{"deny":["Bash(git:*)"]},"symlinks":{}}`, `"a"`, "deny", "rules", ""},
		{`{"id":2,"tool_name":"Bash","tool_input":{"command":"ls"},"permissions":{},"symlinks":{}}`, "2", "allow", "check", ""},
		{`{"tool_name":"Bash","tool_input":{"command":"make"},"permissions":{},"mode":"bypassPermissions"}`, "", "allow", "check", ""},
		{`{"tool_name":"Bash","tool_input":{"command":"make"},"permissions":{},"mode":"plan"}`, "", "deny", "check", ""},
		{`{"tool_name":"Bash","tool_input":{"comand":"make"},"permissions":{}}`, "", "ask", "validate", ""},
		{`{"id":3,"tool_name":"Bash","tool_input":{"command":"ls","command":"make"},"permissions":{}}`, "3", "ask", "validate", ""},
		{`{"tool_name":"Bash","tool_input":"ls","permissions":{}}`, "", "ask", "validate", ""},
		{`{"tool_name":"Bash","tool_input":{"command":"ls"},"permissions":{"deny":["Bash(rm"]}}`, "", "ask", "rules", ""},
		{`{"tool_name":"Edit","tool_input":{"file_path":"l/x","old_string":"","new_string":""},"permissions":{"allow":["Edit(/l/**)"]},"symlinks":{"/home/dev/proj/l":"../other"}}`, "", "ask", "check", ""},
		{`{"tool_name":"Read","tool_input":{"file_path":"/opt/x"},"permissions":{"additionalDirectories":["/opt"]},"symlinks":{}}`, "", "allow", "check", ""},

		{`{"id":4,"tool_name":"Nope","tool_input":{},"permissions":{}}`, "4", "", "", "no such tool: Nope"},
		{`{"id":5,"tool_name":"Bash","tool_input":{},"mode":"yolo","permissions":{}}`, "5", "", "", "unknown permission mode"},
		{`{"id":6,"tool_name":"Bash","permissions":{}}`, "6", "", "", "tool_input is missing"},
		{`{"id":7,"tool_input":{},"permissions":{}}`, "7", "", "", "name of the tool is missing"},
		{`{"id":8,"tool_name":"Bash","tool_input":{},"cwd":"x","permissions":{}}`, "8", "", "", "not an absolute path"},
		{`{"id":9,"tool_name":"Bash","tool_input":{},"permission":{}}`, "9", "", "", `unknown key "permission"`},
		{`{"id":10,"tool_name":"Bash","tool_input":{},"permissions":{"denny":[]}}`, "10", "", "", `unknown key "denny"`},
		{`{"id":11,"tool_name":"Bash","tool_name":"Read","tool_input":{}}`, "11", "", "", "occurs twice"},
		{`{"id":12,"tool_name":1,"tool_input":{}}`, "12", "", "", "want a string"},
		{`{"id":13,`, "13", "", "", "ends before"},
		{`  `, "", "", "", "empty"},
		{`[]`, "", "", "", "want an object"},
	} {
		got := c.Line([]byte(tc.line))
		if got.ID.String() != tc.id || !strings.Contains(got.Error, tc.problem) || (got.Error == "") != (tc.problem == "") {
			t.Errorf("%s: got id %s, error %q", tc.line, got.ID, got.Error)
			continue
		}
		if (got.Reply == nil) != (tc.decision == "") {
			t.Errorf("%s: a line is answered with a decision or an error: %+v", tc.line, got)
		} else if got.Reply != nil && (got.Decision != tc.decision || got.Stage != tc.stage || got.Reason == "") {
			t.Errorf("%s: got %s in %s because %q", tc.line, got.Decision, got.Stage, got.Reason)
		}
	}
}

// Whatever comes in, one object comes out, and no line that is not valid JSON is
// ever allowed.
func FuzzLine(f *testing.F) {
	f.Add([]byte(`{"id":1,"tool_name":"Bash","tool_input":{"command":"ls"},"permissions":{"allow":["Bash"]}}`))
	f.Add([]byte(`{"id":1,"tool_name":"Bash","tool_input":{"command":"ls","command":"x"},"permissions":{}}`))
	c := newTestChecker(f)
	f.Fuzz(func(t *testing.T, line []byte) {
		defer testlimit.Watch(t)()
		reply := c.Line(line)
		data, err := strictjson.Marshal(reply)
		if err != nil || strings.Contains(string(data), "\n") {
			t.Fatalf("no line: %v %q", err, data)
		}
		if strictjson.Valid(line) != nil && reply.Reply != nil && reply.Decision == "allow" {
			t.Fatalf("allowed: %q", line)
		}
	})
}

func TestLineNamesThePart(t *testing.T) {
	got := newTestChecker(t).Line([]byte(`{"tool_name":"Bash","tool_input":{"command":"cd x && bash -c 'git push'"},"permissions":{"deny":["Bash(git push)"]}}`))
	if got.Reply == nil || got.Rule != "Bash(git push)" || got.RuleSource == nil || got.RuleSource.Source != "projectSettings" {
		t.Fatalf("got %+v", got)
	}
	at := slices.IndexFunc(got.Parts, func(p PartReply) bool { return p.Decision == "deny" })
	if at < 0 || got.Parts[at].Text != "git push" || len(got.Parts[at].Via) == 0 {
		t.Errorf("got parts %+v", got.Parts)
	}
}

func TestShellLine(t *testing.T) {
	got := ShellLine([]byte(`{"id":1,"command":"rm -rf / > x < y"}`))
	if got.ShellReport == nil || got.ReadOnly || !got.Dangerous || got.ID.String() != "1" || len(got.Writes) == 0 || len(got.Reads) == 0 {
		t.Errorf("got %+v", got)
	}
	for line, problem := range map[string]string{
		`{"id":2,"cmd":"ls"}`: "unknown key", `{"id":2}`: "command is missing", `{"id":2,"command":1}`: "want a string", "": "empty",
	} {
		if got := ShellLine([]byte(line)); !strings.Contains(got.Error, problem) || got.ShellReport != nil {
			t.Errorf("%s: got %+v", line, got)
		}
	}
}
