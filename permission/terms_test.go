package permission

import (
	"reflect"
	"testing"
	"time"
)

func TestA4_OfTwoTermsTheStricterHolds(t *testing.T) {
	phone := Escalation{After: time.Hour, Notify: []string{"phone"}}
	channel := Escalation{After: time.Minute, Notify: []string{"channel"}}
	for _, c := range []struct {
		name       string
		one, other Terms
		want       Terms
	}{
		{"nothing", Terms{}, Terms{}, Terms{}},
		{"more people", Terms{Approvers: 3}, Terms{Approvers: 2}, Terms{Approvers: 3}},
		{"what either asks for", Terms{Reason: true}, Terms{NotRequester: true}, Terms{Reason: true, NotRequester: true}},
		{"everybody is told once, in time", Terms{Escalate: []Escalation{phone}}, Terms{Escalate: []Escalation{channel, phone}}, Terms{Escalate: []Escalation{channel, phone}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.one.And(c.other); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%+v", got)
			}
			if got := c.other.And(c.one); !reflect.DeepEqual(got, c.want) {
				t.Errorf("the other way round: %+v", got)
			}
		})
	}
}

func TestA4_WhenItMattersWhoAnswers(t *testing.T) {
	for _, c := range []struct {
		terms          Terms
		need           int
		personal, zero bool
	}{
		{Terms{}, 1, false, true},
		{Terms{Approvers: 1}, 1, false, true},
		{Terms{Approvers: 2}, 2, true, false},
		{Terms{NotRequester: true}, 1, true, false},
		{Terms{Reason: true}, 1, false, false},
		{Terms{Escalate: []Escalation{{After: 1}}}, 1, false, false},
	} {
		if c.terms.Need() != c.need || c.terms.Personal() != c.personal || c.terms.IsZero() != c.zero {
			t.Errorf("%+v: %d, %t, %t", c.terms, c.terms.Need(), c.terms.Personal(), c.terms.IsZero())
		}
	}
}
