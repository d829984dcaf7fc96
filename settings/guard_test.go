package settings

import (
	"testing"
	"time"

	"github.com/assent-dev/assent/rule"
)

func TestT4_HowGuardsTreatQuestions(t *testing.T) {
	for name, tt := range map[string]struct {
		files map[rule.Source]string
		want  Guard
	}{
		"nobody says":                     {nil, Guard{}},
		"the user says":                   {map[rule.Source]string{rule.UserSettings: `{"wait": "50s", "inbox": "always", "audit": true}`}, Guard{50 * time.Second, true, AlwaysInbox, true}},
		"not at all":                      {map[rule.Source]string{rule.UserSettings: `{"wait": "0s", "inbox": "needed", "audit": false}`}, Guard{0, true, InboxIfNeeded, false}},
		"a workspace nobody trusts":       {map[rule.Source]string{rule.ProjectSettings: `{"wait": "1h", "inbox": "always", "audit": true}`}, Guard{}},
		"the administrator beside a user": {map[rule.Source]string{rule.PolicySettings: `{"wait": "10s"}`, rule.UserSettings: `{"wait": "50s", "inbox": "always"}`}, Guard{10 * time.Second, true, AlwaysInbox, false}},
		"recorded if one wants it":        {map[rule.Source]string{rule.PolicySettings: `{"audit": false}`, rule.UserSettings: `{"audit": true}`}, Guard{Audit: true}},
	} {
		w := newWorld(t)
		for source, text := range tt.files {
			w.put(source, `{"assent": {"guard": `+text+`}}`)
		}
		s, err := Load(w.Options)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Guard(); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

func TestT4_WhatSaysNothingAboutGuardsStopsTheStart(t *testing.T) {
	for _, text := range []string{`"50s"`, `{"wait": 50}`, `{"wait": "soon"}`, `{"wait": "-1s"}`, `{"inbox": "never"}`, `{"inbox": true}`, `{"audit": "yes"}`, `{"Wait": "1s"}`, `{"await": "1s"}`} {
		w := newWorld(t)
		w.put(rule.UserSettings, `{"assent": {"guard": `+text+`}}`)
		if _, err := Load(w.Options); err == nil {
			t.Errorf("%s was taken", text)
		}
	}
}
