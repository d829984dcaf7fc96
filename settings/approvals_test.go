package settings

import (
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

func TestA4_WhatApprovalsNeed(t *testing.T) {
	type files = map[rule.Source]string
	const policy = `{"any": {"reason": true}, "high": {"approvers": 2, "notRequester": true, "expires": "4h", "escalate": [{"after": "1h", "notify": ["channel"]}, {"after": "30m", "notify": ["phone", "phone"]}]}}`
	phone, channel := permission.Escalation{After: 30 * time.Minute, Notify: []string{"phone"}}, permission.Escalation{After: time.Hour, Notify: []string{"channel"}}
	high := permission.Terms{Approvers: 2, Reason: true, NotRequester: true, Escalate: []permission.Escalation{phone, channel}}
	for name, tt := range map[string]struct {
		files   files
		risk    permission.Risk
		want    permission.Terms
		expires time.Duration
	}{
		"nobody says":                  {nil, permission.HighRisk, permission.Terms{}, 0},
		"any and the class":            {files{rule.UserSettings: policy}, permission.HighRisk, high, 4 * time.Hour},
		"nobody has thought about it":  {files{rule.UserSettings: policy}, 0, high, 4 * time.Hour},
		"any alone":                    {files{rule.UserSettings: policy}, permission.LowRisk, permission.Terms{Reason: true}, 0},
		"each class is its own":        {files{rule.UserSettings: `{"low": {"approvers": 1}, "medium": {"approvers": 3}}`}, permission.MediumRisk, permission.Terms{Approvers: 3}, 0},
		"low":                          {files{rule.UserSettings: `{"low": {"approvers": 4}, "medium": {"approvers": 3}}`}, permission.LowRisk, permission.Terms{Approvers: 4}, 0},
		"an untrusted workspace":       {files{rule.ProjectSettings: policy}, permission.HighRisk, permission.Terms{Approvers: 2, Reason: true, NotRequester: true}, 0},
		"nobody can ask for less":      {files{rule.PolicySettings: policy, rule.UserSettings: `{"high": {"approvers": 1, "reason": false, "notRequester": false, "expires": "9h"}}`}, permission.HighRisk, high, 4 * time.Hour},
		"a workspace can ask for more": {files{rule.PolicySettings: `{"any": {"expires": "9h"}}`, rule.LocalSettings: `{"high": {"approvers": 3}, "any": {"expires": "1h"}}`}, permission.HighRisk, permission.Terms{Approvers: 3}, 9 * time.Hour},
		"escalations of all, each once": {
			files{rule.PolicySettings: `{"any": {"escalate": [{"after": "1h", "notify": ["channel"]}]}}`, rule.UserSettings: `{"low": {"escalate": [{"after": "30m", "notify": ["phone"]}, {"after": "60m", "notify": ["channel"]}]}}`},
			permission.LowRisk,
			permission.Terms{Escalate: []permission.Escalation{phone, channel}},
			0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			for source, text := range tt.files {
				w.put(source, `{"assent": {"approvals": `+text+`}}`)
			}
			got, expires := w.load().Approvals(tt.risk)
			if !reflect.DeepEqual(got, tt.want) || expires != tt.expires {
				t.Errorf("%+v for %v, want %+v for %v", got, expires, tt.want, tt.expires)
			}
		})
	}
}

func TestA4_WhatIsNoPolicyStopsTheStart(t *testing.T) {
	for text, says := range map[string]string{
		`true`:                                                             "approvals says nothing about calls",
		`{"High": {"approvers": 2}}`:                                       "not high",
		`{"critical": {"approvers": 2}}`:                                   "critical, which is no class of calls",
		`{"high": 2}`:                                                      "approvals.high says nothing",
		`{"high": {"aprovers": 2}}`:                                        "aprovers, which nobody knows",
		`{"high": {"Approvers": 2}}`:                                       "not approvers",
		`{"high": {"notrequester": true}}`:                                 "not notRequester",
		`{"high": {"not_requester": true}}`:                                "not notRequester",
		`{"high": {"no_requester": true}}`:                                 "nobody knows",
		`{"high": {"approvers": "2"}}`:                                     "a whole number from 1 to 20",
		`{"high": {"approvers": 0}}`:                                       "a whole number from 1 to 20",
		`{"high": {"approvers": -1}}`:                                      "a whole number from 1 to 20",
		`{"high": {"approvers": 21}}`:                                      "a whole number from 1 to 20",
		`{"high": {"approvers": 1.5}}`:                                     "a whole number from 1 to 20",
		`{"high": {"approvers": 2e0}}`:                                     "a whole number from 1 to 20",
		`{"high": {"approvers": null}}`:                                    "a whole number from 1 to 20",
		`{"high": {"reason": "yes"}}`:                                      "reason must be true or false",
		`{"high": {"notRequester": 1}}`:                                    "notRequester must be true or false",
		`{"high": {"expires": 4}}`:                                         "expires must be a string",
		`{"high": {"expires": "soon"}}`:                                    "soon is no time to wait (write it like 90m or 72h)",
		`{"high": {"expires": "0s"}}`:                                      "0s is no time to wait",
		`{"high": {"expires": "-4h"}}`:                                     "-4h is no time to wait",
		`{"any": {"escalate": {}}}`:                                        "escalate must be a list",
		`{"any": {"escalate": ["phone"]}}`:                                 "every element of escalate must be an object",
		`{"any": {"escalate": [{}]}}`:                                      "does not say after which time whom to tell",
		`{"any": {"escalate": [{"after": "1h"}]}}`:                         "does not say after which time whom to tell",
		`{"any": {"escalate": [{"notify": ["phone"]}]}}`:                   "does not say after which time whom to tell",
		`{"any": {"escalate": [{"after": "1h", "notify": []}]}}`:           "does not say after which time whom to tell",
		`{"any": {"escalate": [{"after": "1h", "notify": "phone"}]}}`:      "notify must be a list of strings",
		`{"any": {"escalate": [{"after": "1h", "notify": [""]}]}}`:         "notify names nobody",
		`{"any": {"escalate": [{"after": "59.9s", "notify": ["phone"]}]}}`: "59.9s is too soon to tell others (write at least 1m)",
		`{"any": {"escalate": [{"after": "1h", "notify": ["phone"], "again": true}]}}`:                                             "again, which nobody knows",
		`{"any": {"escalate": [{"after": "2h", "notify": ["phone"]}], "expires": "1h"}}`:                                           "approvals.any tells others after 2h0m0s, and the call is over after 1h0m0s (tell them before the end)",
		`{"any": {"expires": "1h"}, "high": {"escalate": [{"after": "60m", "notify": ["phone"]}]}}`:                                "approvals.high tells others after 1h0m0s, and the call is over after 1h0m0s",
		`{"any": {"reason": true}, "any": {}}`:                                                                                     "twice",
		`{"any": {"escalate": [` + strings.Repeat(`{"after": "1h", "notify": ["p"]},`, 20) + `{"after": "2h", "notify": ["p"]}]}}`: "more than 20 steps",
	} {
		w := newWorld(t)
		w.put(rule.ProjectSettings, "{\"assent\": {\n  \"approvals\": "+text+`}}`)
		_, err := Load(w.Options)
		broken, ok := errors.AsType[*BrokenError](err)
		switch {
		case !ok:
			t.Errorf("%s was taken: %v", text, err)
		case broken.Line != 2 || broken.Column == 0 || !strings.Contains(broken.Error(), says):
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A workspace that nobody has trusted tells nobody of its calls, and ends the time of none.
func TestT16_OnlyATrustedWorkspaceEscalates(t *testing.T) {
	for _, source := range []rule.Source{rule.ProjectSettings, rule.LocalSettings} {
		w := newWorld(t)
		w.put(source, `{"assent": {"approvals": {"any": {"reason": true, "expires": "61s", "escalate": [{"after": "1m", "notify": ["ops"]}]}}}}`)
		look := func(status TrustStatus, want permission.Terms, lasts time.Duration) {
			t.Helper()
			s := w.load()
			got, expires := s.Approvals(permission.LowRisk)
			if s.TrustState().Status != status || !reflect.DeepEqual(got, want) || expires != lasts {
				t.Errorf("%s, %s: %+v for %v, want %+v for %v", source, s.TrustState().Status, got, expires, want, lasts)
			}
		}
		all := permission.Terms{Reason: true, Escalate: []permission.Escalation{{After: time.Minute, Notify: []string{"ops"}}}}
		look(Untrusted, permission.Terms{Reason: true}, 0)
		if err := Trust(w.Options, ""); err != nil {
			t.Fatal(err)
		}
		look(Trusted, all, 61*time.Second)
		w.put(source, `{"assent": {"approvals": {"any": {"reason": true, "expires": "62s", "escalate": [{"after": "1m", "notify": ["ops"]}]}}}}`)
		look(Changed, permission.Terms{Reason: true}, 0)
		w.put(source, `{"permissions": {"allow": ["Bash(a)"]}, "assent": {"approvals": {"any": {"reason": true, "expires": "61s"}}}}`)
		look(Changed, permission.Terms{Reason: true}, 0)
	}
}

// What a workspace asks for needs no trust, so it is no part of what is trusted, and is held
// back nowhere.
func TestA4_ApprovalsNeedNoTrust(t *testing.T) {
	const more = `{"permissions": {"allow": ["Bash(a)"]}, "assent": {"approvals": {"any": {"approvers": 2}}}}`
	w := newWorld(t)
	w.put(rule.ProjectSettings, more)
	s := w.load()
	if slices.Contains(s.HeldBack.Assent, "approvals") || slices.ContainsFunc(s.Reports, func(r Report) bool { return strings.Contains(r.Text, "approvals") }) {
		t.Errorf("held back: %v, %v", s.HeldBack.Assent, s.Reports)
	}
	w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash(a)"]}}`)
	if err := Trust(w.Options, ""); err != nil {
		t.Fatal(err)
	}
	w.put(rule.ProjectSettings, more)
	if got := w.load().TrustState(); got.Status != Trusted {
		t.Errorf("%+v", got)
	}
}

// A file that breaks asks for what it did before, also when it was gone in between; one that is
// gone asks for nothing.
func TestA4_ABrokenFileAsksForNoLess(t *testing.T) {
	w := newWorld(t)
	w.put(rule.ProjectSettings, `{"assent": {"approvals": {"any": {"approvers": 2}}}}`)
	s := w.load()
	need := func(want int) {
		t.Helper()
		s, _ = Reload(w.Options, s)
		if terms, _ := s.Approvals(permission.LowRisk); terms.Need() != want {
			t.Errorf("%d people, want %d", terms.Need(), want)
		}
	}
	w.put(rule.ProjectSettings, `{"assent": {"approvals": {"any": {"approvers": 2`)
	need(2)
	if err := os.Remove(w.path(rule.ProjectSettings)); err != nil {
		t.Fatal(err)
	}
	need(1)
	w.put(rule.ProjectSettings, `{"assent": {"approvals": `)
	need(2)
	w.put(rule.ProjectSettings, `{}`)
	need(1)
}
