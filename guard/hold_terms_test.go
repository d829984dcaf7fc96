package guard_test

import (
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/permission"
)

// What a yes needs is what all settings together ask for that judge the call, also those of a
// project that nobody has trusted and of the directories around it. How long it may be given is not
// for these to say.
func TestA4_WhatAHeldCallNeeds(t *testing.T) {
	for name, tt := range map[string]struct {
		user, project, around, command string
		needs                          permission.Terms
		lasts                          time.Duration
	}{
		"nothing":                     {"", "", "", "make", permission.Terms{}, 24 * time.Hour},
		"of the user":                 {`{"any": {"approvers": 2, "expires": "4h"}}`, "", "", "make", permission.Terms{Approvers: 2}, 4 * time.Hour},
		"of another risk":             {`{"high": {"approvers": 2, "expires": "4h"}}`, "", "", "make", permission.Terms{}, 24 * time.Hour},
		"of its risk":                 {`{"high": {"approvers": 2, "expires": "4h"}}`, "", "", "rm -rf ./scratch", permission.Terms{Approvers: 2}, 4 * time.Hour},
		"of the project as well":      {`{"any": {"approvers": 2}}`, `{"medium": {"approvers": 3, "reason": true, "expires": "1h"}}`, "", "make", permission.Terms{Approvers: 3, Reason: true}, 24 * time.Hour},
		"of what lies around":         {`{"any": {"expires": "2h"}}`, "", `{"any": {"notRequester": true, "expires": "1h"}}`, "make", permission.Terms{NotRequester: true}, 2 * time.Hour},
		"no longer than calls wait":   {`{"any": {"expires": "48h"}}`, "", "", "make", permission.Terms{}, 24 * time.Hour},
		"nobody around asks for less": {`{"any": {"expires": "1h", "reason": true}}`, `{"any": {"expires": "9h", "reason": false}}`, `{"any": {"expires": "5h"}}`, "make", permission.Terms{Reason: true}, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			p := yes()
			w := newWorld(t, dialect.Codex).asks(p)
			for dir, text := range map[string]string{w.home: tt.user, w.proj: tt.project, filepath.Dir(w.proj): tt.around} {
				if text != "" {
					w.write(dir, ".claude/settings.json", `{"assent": {"approvals": `+text+`}}`)
				}
			}
			w.send(w.sessioned(tt.command))
			if len(p.seen) != 1 {
				t.Fatalf("asked %d times", len(p.seen))
			}
			if got := p.seen[0]; !reflect.DeepEqual(got.Terms, tt.needs) || got.Lasts != tt.lasts {
				t.Errorf("%+v for %v, want %+v for %v", got.Terms, got.Lasts, tt.needs, tt.lasts)
			}
		})
	}
}
