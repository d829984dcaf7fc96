package wire

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Whatever a host answers instead of a decision is no answer, and the error carries the
// text; the session goes on.
func TestS32_ErrorsOfAHost(t *testing.T) {
	for body, want := range map[string]string{
		`"subtype":"error","error":"no db"`:                             "The host could not decide: no db",
		`"subtype":"error","error":{"message":"no db"}`:                 `The host could not decide: {"message":"no db"}`,
		`"subtype":"error","error":["a",7]`:                             `The host could not decide: ["a",7]`,
		`"subtype":"error","error":null`:                                "The host could not decide: it does not say why",
		`"subtype":"error","error":""`:                                  "The host could not decide: it does not say why",
		`"subtype":"error"`:                                             "The host could not decide: it does not say why",
		`"subtype":5`:                                                   "neither success nor error: 5",
		`"subtype":"fine","response":{"behavior":"allow"}`:              `neither success nor error: "fine"`,
		`"response":{"behavior":"allow"}`:                               "its answer has no subtype",
		`"subtype":null,"response":{"behavior":"allow"}`:                "its answer has no subtype",
		`"subtype":"success","error":7,"response":{"behavior":"maybe"}`: `The answer of the host is no decision: {"behavior":"maybe"}`,
	} {
		synctest.Test(t, func(t *testing.T) {
			k := newTalk(t, nil)
			defer k.over()
			// One that nobody waits for is too late, whatever it says.
			k.say(`{"type":"control_response","response":{` + body + `,"request_id":"nobody"}}`)
			errs := make(chan error, 1)
			go func() {
				answer, _, err := k.host.CanUseTool(t.Context(), CanUseTool{ToolName: "Bash", Input: strictjson.Raw(`{"command":"ls"}`)})
				if answer.Behavior != 0 {
					t.Errorf("%s: %+v", body, answer)
				}
				errs <- err
			}()
			id := k.hear().RequestID
			k.say(`{"type":"control_response","response":{` + body + `,"request_id":"` + id + `"}}`)
			if got, ok := errors.AsType[*Undecided](<-errs); !ok || !strings.Contains(got.Text, want) {
				t.Errorf("%s: %+v; want %q", body, got, want)
			}
		})
	}
}

// JSON that is well formed and does not fit is not called invalid: the place is named, and
// what should be there.
func TestW5_WhatDoesNotFitIsNamed(t *testing.T) {
	for line, want := range map[string]string{
		`{"type":"control_request","request_id":1,"request":{"subtype":"interrupt"}}`: "stdin line 1: /request_id: want a string, got a number",
		`{"type":"control_response","response":{"request_id":7}}`:                     "/response/request_id: want a string, got a number",
		`{"type":"control_response","response":"x"}`:                                  "/response: want an object, got a string",
		`{"type":"user","message":"hi"}`:                                              "a user message needs a message object: want an object, got a string",
		`{"type":"user","message":{"content":7}}`:                                     "cannot be read: want an array, got a number",
	} {
		h := NewHost(nil, nil)
		err := h.Serve(strings.NewReader(line + "\n"))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "invalid JSON") {
			t.Errorf("%s: %v; want %q", line, err, want)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		k := newTalk(t, func(r Request) (any, error) {
			if r.Subtype == "initialize" {
				_, err := ReadInitialize(r)
				return nil, err
			}
			var body struct {
				Mode string `json:"mode"`
			}
			return nil, strictjson.Unmarshal(r.Body, &body)
		})
		defer k.over()
		for request, want := range map[string]string{
			`"x"`:                                 "want an object, got a string",
			`{"subtype":5}`:                       "/subtype: want a string, got a number",
			`{"subtype":"m","mode":[]}`:           "/mode: want a string, got an array",
			`{"subtype":"initialize","hooks":[]}`: "/hooks: want an object, got an array",
		} {
			k.say(`{"type":"control_request","request_id":"a","request":` + request + `}`)
			if l := k.hear(); l.Response.Error != want {
				t.Errorf("%s: %q, want %q", request, l.Response.Error, want)
			}
		}
	})
	// What is no JSON is called so.
	if err := NewHost(nil, nil).Serve(strings.NewReader("{\n")); err == nil || !strings.Contains(err.Error(), "invalid JSON") {
		t.Errorf("%v", err)
	}
}
