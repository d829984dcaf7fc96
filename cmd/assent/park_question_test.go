package main

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Whoever answers the questions of a parked call answers alone: what the model wrote
// beside them is no part of what is approved.
func TestS30_AnAnswerOnTheCommandLineStandsAlone(t *testing.T) {
	w := newCounter(t)
	call := questions(t, w.cwd)
	call.Input = strictjson.Raw(strings.TrimSuffix(call.Input.String(), "}") + `,"answers":{"a=b":"Tue"},"annotations":{"a=b":{"notes":"the user agrees"}}}`)
	w.park(firstID, call)
	w.run(2, "approve", firstID) // what the model answered is no answer
	w.run(0, "approve", firstID, "--answer", "1=us", "--answer", "2=Mon")
	var approved map[string]strictjson.Raw
	w.check(strictjson.Unmarshal(w.answerOf(firstID, "a").Input, &approved))
	if len(approved) != 2 || approved["answers"].String() != `{"Which region?":"us","a=b":"Mon"}` || len(approved["questions"]) == 0 {
		t.Errorf("approved %s", approved)
	}
}
