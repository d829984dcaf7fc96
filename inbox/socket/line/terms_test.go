package line

import (
	"bytes"
	"reflect"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
)

func TestA4_ALineSaysWhatAYesNeeds(t *testing.T) {
	for _, terms := range []permission.Terms{
		{},
		{Approvers: 20, Reason: true, NotRequester: true, Escalate: []permission.Escalation{{After: time.Hour, Notify: []string{"phone"}}}},
	} {
		h := hold()
		h.Terms = terms
		text, err := Request(h)
		if err != nil || bytes.Contains(text, []byte("terms")) != !terms.IsZero() { // servers of before know none
			t.Errorf("%s, %v", text, err)
		}
		if got, err := ReadRequest(bytes.TrimSpace(text)); err != nil || !reflect.DeepEqual(got.Terms, terms) {
			t.Errorf("%+v, %v", got.Terms, err)
		}
	}
}

// Who asks is never what a line says: any process of the user can write one.
func TestA4_WhatALineCannotSay(t *testing.T) {
	good, err := Request(hold())
	if err != nil {
		t.Fatal(err)
	}
	for _, more := range []string{
		`"requester":"ben@desk"`,
		`"terms":{"approvers":21}`,
		`"terms":{"approvers":-1}`,
		`"terms":{"approvers":1,"approvers":2}`,
		`"terms":{"requester":"ben"}`,
		`"terms":{"escalate":[{"after":"0s","notify":["phone"]}]}`,
	} {
		text := bytes.Replace(bytes.TrimSpace(good), []byte(`"asker"`), []byte(more+`,"asker"`), 1)
		if h, err := ReadRequest(text); err == nil {
			t.Errorf("%s was taken: %+v", more, h)
		}
	}
}
