package oidc

import (
	"strings"
	"testing"
	"time"
)

func TestFlow(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	f := newFlow(now)
	began, secret, _ := strings.Cut(string(f), ".")
	for _, c := range []struct {
		name string
		flow flow
		at   time.Duration
		want bool
	}{
		{"a new one", f, 0, true},
		{"at its end", f, flowLasts - time.Second, true},
		{"after it", f, flowLasts, false},
		{"of a clock that is ahead", f, -skew / 2, true},
		{"of one that is far ahead", f, -skew, false},
		{"nothing", "", 0, false},
		{"without a secret", flow(began + "."), 0, false},
		{"with half of one", flow(began + "." + secret[:20]), 0, false},
		{"without a time", flow("." + secret), 0, false},
		{"with no time", flow("x." + secret), 0, false},
		{"a secret alone", flow(secret), 0, false},
		{"of the end of all times", flow("9223372036854775807." + secret), 0, false},
		{"of their beginning", flow("-9223372036854775808." + secret), 0, false},
	} {
		if got := c.flow.counts(now.Add(c.at)); got != c.want {
			t.Errorf("%s: got %t", c.name, got)
		}
	}
	later := flow("1772355900." + secret) // whoever makes it younger has another state
	if later.began(f.state()) || !f.began(f.state()) || f.began("") {
		t.Error("a state is that of another sign-in")
	}
	if again := newFlow(now); again == f || again.state() == f.state() {
		t.Error("two sign-ins are the same")
	}
	all := map[string]bool{f.state(): true, f.nonce(): true, f.verifier(): true, secret: true}
	if len(all) != 4 || len(f.verifier()) < 43 { // what PKCE asks for
		t.Errorf("got %v", all)
	}
}
