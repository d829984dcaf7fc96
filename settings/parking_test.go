package settings

import (
	"testing"
	"time"

	"github.com/assent-dev/assent/rule"
)

func TestS41_HowLongACallWaits(t *testing.T) {
	const day, week = `{"assent": {"parking": {"lasts": "24h"}}}`, `{"assent": {"parking": {"lasts": "168h", "outcome": "allow"}}}`
	for name, tt := range map[string]struct {
		files map[rule.Source]string
		want  Parking
	}{
		"nobody says":               {nil, Parking{}},
		"the user says":             {map[rule.Source]string{rule.UserSettings: day}, Parking{24 * time.Hour, "deny"}},
		"a workspace says":          {map[rule.Source]string{rule.ProjectSettings: week}, Parking{}},
		"the administrator says":    {map[rule.Source]string{rule.UserSettings: day, rule.PolicySettings: week}, Parking{168 * time.Hour, "allow"}},
		"a workspace beside a user": {map[rule.Source]string{rule.UserSettings: day, rule.LocalSettings: week}, Parking{24 * time.Hour, "deny"}},
	} {
		w := newWorld(t)
		for source, text := range tt.files {
			w.put(source, text)
		}
		s, err := Load(w.Options)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Parking(); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

func TestS41_WhatIsNoTimeStopsTheStart(t *testing.T) {
	for _, text := range []string{`"24h"`, `{"lasts": 24}`, `{"lasts": "soon"}`, `{"lasts": "-1h"}`, `{"lasts": "0s"}`, `{"outcome": "ask"}`, `{"outcome": "allow", "outcome": "deny"}`} {
		w := newWorld(t)
		w.put(rule.UserSettings, `{"assent": {"parking": `+text+`}}`)
		if _, err := Load(w.Options); err == nil {
			t.Errorf("%s was taken", text)
		}
	}
}

func TestVersionChangesWithTheSettings(t *testing.T) {
	w := newWorld(t)
	version := func() string {
		s, err := Load(w.Options)
		if err != nil {
			t.Fatal(err)
		}
		return s.Version()
	}
	before := version()
	if again := version(); again != before {
		t.Error("it changes by itself")
	}
	w.put(rule.UserSettings, `{"permissions": {"deny": ["Bash(rm:*)"]}}`)
	if version() == before {
		t.Error("a new rule changes nothing")
	}
}
