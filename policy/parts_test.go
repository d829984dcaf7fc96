package policy

import "testing"

// What is said about the parts never contradicts the decision.
func TestPartsAgreeWithTheDecision(t *testing.T) {
	c := newTestChecker(t)
	decided := 0
	for _, r := range corpus(t, "rules.jsonl") {
		j := judged(t, c, r.query(t))
		worst := "allow"
		for _, p := range j.parts() {
			if p.Span[0] < 0 || p.Span[1] > len(r.Command) || p.Span[0] > p.Span[1] {
				t.Errorf("%s: span %v of %q", r.ID, p.Span, r.Command)
			}
			if p.Why == "" {
				t.Errorf("%s: no reason for %q", r.ID, p.Text)
			}
			if p.Decided {
				decided++
			}
			worst = stricter(worst, p.Outcome)
		}
		if got := j.Decision.Behavior.String(); stricter(worst, got) != got {
			t.Errorf("%s: decision %s, but a part says %s: %q", r.ID, got, worst, r.Command)
		}
	}
	if decided < 200 {
		t.Errorf("only %d decisions name a part", decided)
	}
}

func stricter(a, b string) string {
	rank := map[string]int{"passthrough": 0, "allow": 1, "ask": 2, "deny": 3}
	if rank[b] > rank[a] {
		return b
	}
	return a
}

func TestParts(t *testing.T) {
	rules := Permissions{Allow: []string{"Bash(npm test:*)"}, Deny: []string{"Bash(git push:*)"}, Ask: []string{"Bash(make deploy)"}}
	j := shortCall(t, "Bash(cd web && npm test && timeout 5 make deploy && sudo /usr/bin/git push && ./x)", rules)
	want := []struct{ text, outcome string }{
		{"cd web", "allow"},
		{"npm test", "allow"},
		{"timeout 5 make deploy", "passthrough"},
		{"make deploy", "ask"},
		{"sudo /usr/bin/git push", "ask"},
		{"/usr/bin/git push", "deny"},
		{"./x", "ask"},
	}
	got := j.parts()
	if len(got) != len(want) {
		t.Fatalf("got %d parts, want %d: %+v", len(got), len(want), got)
	}
	for i, w := range want {
		if got[i].Text != w.text || got[i].Outcome != w.outcome {
			t.Errorf("part %d: got %q %s, want %q %s", i, got[i].Text, got[i].Outcome, w.text, w.outcome)
		}
	}
}
