package settings

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

func TestS33_WhatAssentWritesStaysTrusted(t *testing.T) {
	w := newWorld(t)
	w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash(a)"]}}`)
	if err := Trust(w.Options, ""); err != nil {
		t.Fatal(err)
	}
	for _, dest := range []rule.Source{rule.LocalSettings, rule.ProjectSettings} {
		for _, u := range []permission.Update{
			ruleUpdate(permission.AddRules, rule.Allow, "Bash(new)"),
			ruleUpdate(permission.AddRules, rule.Deny, "Bash(no)"),
			{Type: permission.SetMode, Mode: permission.AcceptEdits},
			dirUpdate(permission.AddDirectories, "/"),
		} {
			u.Destination = dest
			w.persist(u)
			if got := w.load().TrustState(); got.Status != Trusted {
				t.Fatalf("%v %v cost the trust: %+v", dest, u.Type, got)
			}
		}
	}
	if store := w.read(filepath.Join(w.StateDir, "trust.json")); strings.Contains(store, `"next"`) {
		t.Errorf("a write is still under way:\n%s", store)
	}
	// Another hand changes the file between two of ours.
	path := w.path(rule.ProjectSettings)
	w.write(path, strings.Replace(w.read(path), `"Bash(a)"`, `"Bash(a)", "Bash"`, 1))
	u := ruleUpdate(permission.AddRules, rule.Allow, "Bash(later)")
	u.Destination = rule.LocalSettings
	w.persist(u)
	if got := w.load().TrustState(); got.Status != Changed {
		t.Errorf("a foreign change became trusted: %+v", got)
	}
}

func TestS33_WritingTrustsNothingByItself(t *testing.T) {
	w := newWorld(t)
	w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash(a)"]}}`)
	u := ruleUpdate(permission.AddRules, rule.Allow, "Bash(b)")
	u.Destination = rule.LocalSettings
	w.persist(u)
	if got := w.load().TrustState(); got.Status != Untrusted {
		t.Errorf("trust %+v", got)
	}
}

// Between the record of trust and the change of the file, both states count; if
// the write never happens, the old one still does.
func TestS33_TrustHoldsWhileAWriteIsUnderWay(t *testing.T) {
	w := newWorld(t)
	w.put(rule.LocalSettings, `{"permissions": {"allow": ["Bash(a)"]}}`)
	if err := Trust(w.Options, ""); err != nil {
		t.Fatal(err)
	}
	p, err := locate(w.Options)
	if err != nil {
		t.Fatal(err)
	}
	before := []byte(w.read(w.path(rule.LocalSettings)))
	after := bytes.Replace(before, []byte("(a)"), []byte("(b)"), 1)
	settle, err := p.keepTrust(rule.LocalSettings, before, after)
	if err != nil {
		t.Fatal(err)
	}
	expect := func(text []byte, want TrustStatus) {
		t.Helper()
		w.put(rule.LocalSettings, string(text))
		if got := w.load().TrustState(); got.Status != want {
			t.Errorf("%s: %+v, want %v", text, got, want)
		}
	}
	expect(before, Trusted)
	expect(after, Trusted)
	if err := settle(false); err != nil {
		t.Fatal(err)
	}
	expect(after, Changed)
	expect(before, Trusted)

	settle, err = p.keepTrust(rule.LocalSettings, before, after)
	if err != nil {
		t.Fatal(err)
	}
	if err := Untrust(w.Options, ""); err != nil {
		t.Fatal(err)
	}
	if err := settle(true); err != nil {
		t.Fatal(err)
	}
	expect(after, Untrusted)
}
