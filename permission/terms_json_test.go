package permission

import (
	"reflect"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
)

func TestA4_TermsAreReadAsTheyWereWritten(t *testing.T) {
	for _, terms := range []Terms{
		{},
		{Approvers: 2},
		{Approvers: 3, Reason: true, NotRequester: true, Escalate: []Escalation{{After: 90 * time.Minute, Notify: []string{"phone", "channel"}}}},
	} {
		text, err := strictjson.Marshal(terms)
		if err != nil {
			t.Fatal(err)
		}
		var got Terms
		if err := strictjson.UnmarshalKnown(text, &got); err != nil || !reflect.DeepEqual(got, terms) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}

func TestA4_WhatIsNoTermsIsRefused(t *testing.T) {
	for _, text := range []string{
		`{"escalate": [{"after": 5, "notify": ["p"]}]}`,
		`{"escalate": [{"after": "soon", "notify": ["p"]}]}`,
		`{"escalate": [{"after": "-1h", "notify": ["p"]}]}`,
		`{"escalate": [{"after": "1h", "notify": ["p"], "x": 1}]}`,
		`{"escalate": ["p"]}`,
		`{"approvers": "2"}`,
		`{"Approvers": 2}`,
	} {
		var got Terms
		if err := strictjson.UnmarshalKnown([]byte(text), &got); err == nil {
			t.Errorf("%s was read as %+v", text, got)
		}
	}
}
