package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// update is a change in the form in which the runtime applies it, so that flips are
// checked by other means than they were found with.
func (c Change) update(t *testing.T) permission.Update {
	t.Helper()
	switch c.Kind {
	case AddRule:
		return permission.Update{Type: permission.AddRules, Destination: c.Rule.Origin.Source, Behavior: c.Rule.Behavior, Rules: []string{c.Rule.Text}}
	case RemoveRule:
		return permission.Update{Type: permission.RemoveRules, Destination: c.Rule.Origin.Source, Behavior: c.Rule.List, Rules: []string{c.Rule.Text}}
	case SetMode:
		return permission.Update{Type: permission.SetMode, Destination: rule.Session, Mode: c.Mode}
	case AddDirectory:
		return permission.Update{Type: permission.AddDirectories, Destination: rule.Session, Directories: []string{c.Directory}}
	case TrustWorkspace:
	}
	t.Fatalf("%v is no update", c)
	return permission.Update{}
}

// Every flip that is stated, applied to the context, changes the decision to what
// it says.
func TestExplainFlips(t *testing.T) {
	c := newTestChecker(t)
	for _, file := range []string{"rules.jsonl", "paths.jsonl"} {
		for _, mode := range []permission.Mode{permission.Default, permission.DontAsk, permission.Plan} {
			for _, r := range corpus(t, file) {
				q := r.query(t)
				q.Mode = mode
				j := judged(t, c, q)
				flips := j.Flips()
				if len(flips) == 0 && j.Call != nil {
					t.Errorf("%s %v: nothing would flip %v", r.ID, mode, j.Decision.Message())
				}
				for _, f := range flips {
					checkFlip(t, r.ID, j, f)
				}
			}
		}
	}
}

func checkFlip(t *testing.T, id string, j *Judgement, f Flip) {
	t.Helper()
	// The runtime switches to bypassPermissions only when it was started with the flag.
	config := j.env.config
	config.AllowBypass = true
	context, err := permission.NewContext(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range f.Changes {
		if context, err = context.Apply(change.update(t)); err != nil {
			t.Errorf("%s: %s: %v", id, f, err)
			return
		}
	}
	call, err := j.engine.Validate(context, j.Request)
	if err != nil {
		t.Fatal(err)
	}
	got := j.engine.Decide(context, call).Behavior
	if got != f.To || got == j.Decision.Behavior {
		t.Errorf("%s: %s: was %v, said it becomes %v, becomes %v", id, f, j.Decision.Behavior, f.To, got)
	}
}

// A deny that nothing but the rule upholds says so, and what would allow it.
func TestFlipsOfADenial(t *testing.T) {
	j := shortCall(t, "Bash(git push)", Permissions{Deny: []string{"Bash(git push:*)"}, Ask: []string{"Bash(git:*)"}})
	var texts []string
	for _, f := range j.Flips() {
		texts = append(texts, f.To.String()+": "+f.String())
	}
	want := []string{
		"allow: remove deny rule Bash(git push:*), and remove ask rule Bash(git:*), and add allow rule Bash(git push)",
		"ask: remove deny rule Bash(git push:*)",
	}
	if !slices.Equal(texts, want) {
		t.Errorf("got %q\nwant %q", texts, want)
	}
}

// The danger floor has no way out.
func TestNoFlipLiftsASafetyCheck(t *testing.T) {
	for _, call := range []string{"Bash(rm -rf ~)", "Bash(echo x > .git/config)", "Edit(.claude/settings.json)"} {
		j := shortCall(t, call, Permissions{Allow: []string{"Bash", "Edit"}})
		if j.Decision.Behavior != permission.Ask || !j.Decision.NeedsPerson {
			t.Fatalf("%s: got %v, want ask for a person", call, j.Decision.Behavior)
		}
		for _, f := range j.Flips() {
			if f.To == permission.Allow {
				t.Errorf("%s: %s would allow it", call, f)
			}
		}
	}
}

func TestFlipOfAMalformedRule(t *testing.T) {
	j := shortCall(t, "Bash(ls)", Permissions{Deny: []string{"Bash(rm"}})
	if j.Decision.Behavior != permission.Ask {
		t.Fatalf("got %v, want ask", j.Decision.Behavior)
	}
	if f := j.Flips()[0]; f.To != permission.Allow || !strings.HasPrefix(f.String(), "remove malformed deny rule Bash(rm") {
		t.Errorf("got %v: %s", f.To, f)
	}
}
