package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An explanation says what a yes to the call needs, by the risk of the call; lint says which of
// those who are told when nobody answers are not there.
func TestA4_WhatAYesNeedsIsExplained(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	dir := filepath.Join(p.home, ".claude")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	text := `{"permissions": {"allow": ["Bash(make test)"]}, "assent": {
		"notifications": [{"name": "phone", "type": "ntfy", "url": "https://ntfy.example.com", "topic": "x"}],
		"approvals": {"medium": {"approvers": 2, "reason": true, "notRequester": true, "expires": "4h", "escalate": [{"after": "30m", "notify": ["phone", "bos"]}]}}}}`
	if err := os.WriteFile(filepath.Join(dir, "settings.json"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for call, want := range map[string][]string{
		"Bash(git push)":          {"What a yes needs", "risk", "medium", "people", "2", "has to say why", "whoever wanted the call", "4h0m0s, and then it is denied", "after 30m0s", "told: phone, bos"},
		"Bash(make test)":         {"!What a yes needs"}, // nobody is asked
		"Bash(terraform destroy)": {"!What a yes needs"}, // high
	} {
		said, complained, status := p.say("explain", call)
		if status != 0 {
			t.Fatal(complained)
		}
		for _, word := range want {
			word, unwanted := strings.CutPrefix(word, "!")
			if strings.Contains(said, word) == unwanted {
				t.Errorf("%s: %q, and it is wanted: %v\n%s", call, word, !unwanted, said)
			}
		}
	}
	said, _, _ := p.say("explain", "--json", "Bash(git push)")
	if said = strings.Join(strings.Fields(said), ""); !strings.Contains(said, `"approvals":{"risk":"medium","approvers":2,"reason":true,"not_requester":true,"expires":"4h0m0s","escalate":[{"after":"30m0s","notify":["phone","bos"]}]}`) {
		t.Error(said)
	}
	if said, _, status := p.say("lint"); status != 1 || !strings.Contains(said, "escalate names the notification bos, which the settings do not have") || !strings.Contains(said, "[unknown-notification]") {
		t.Errorf("exit status %d: %s", status, said)
	}
}
