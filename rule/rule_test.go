package rule

import "testing"

func TestP3_NamesOfSourcesAndBehaviors(t *testing.T) {
	for _, s := range Sources {
		if got, err := ParseSource(s.String()); err != nil || got != s {
			t.Errorf("ParseSource(%q) = %v, %v", s, got, err)
		}
	}
	if len(Sources) != 8 {
		t.Errorf("%d sources, want 8", len(Sources))
	}
	for _, b := range []Behavior{Allow, Ask, Deny} {
		if got, err := ParseBehavior(b.String()); err != nil || got != b {
			t.Errorf("ParseBehavior(%q) = %v, %v", b, got, err)
		}
	}
	for _, name := range []string{"", "none", "unknown", "Deny", "cliarg"} {
		if b, err := ParseBehavior(name); err == nil {
			t.Errorf("ParseBehavior(%q) = %v", name, b)
		}
		if s, err := ParseSource(name); err == nil {
			t.Errorf("ParseSource(%q) = %v", name, s)
		}
	}
	for want, got := range map[string]string{
		"no": No.String(), "maybe": Maybe.String(), "yes": Yes.String(), "unknown": Source(0).String(), "none": Behavior(0).String(),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
