package model_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/assent-dev/assent/model"
)

func TestFailedSaysWhatTheServerSaid(t *testing.T) {
	tests := []struct {
		status     int
		word, said string
		kind       model.ErrorKind
		want       string
	}{
		{401, "authentication_error", "invalid x-api-key", model.Unauthorized, "the model's server answered with status 401: invalid x-api-key; check the API key and what it may be used for"},
		{400, "invalid_request_error", "Your credit balance is too low to access the API.", model.Unpaid, "status 400: Your credit balance is too low to access the API; add credit"},
		{429, "insufficient_quota", "You exceeded your quota", model.Unpaid, "add credit"},
		{400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum", model.TooLong, "compact"},
		{400, "context_length_exceeded", "", model.TooLong, "compact"},
		{0, "", "it stopped", model.ServerFault, "the model's server broke off its answer: it stopped; try again"},
		{500, "", "", model.ServerFault, "status 500; try again"},
		{418, "", "\x1b[31mteapot\x07\n\n  of\u202e clay", model.BadRequest, "status 418: [31mteapot of clay"},
	}
	for _, test := range tests {
		e := model.Failed(test.status, test.word, test.said)
		if e.Kind != test.kind || !strings.Contains(e.Error(), test.want) {
			t.Errorf("%d %s: kind %d, %q", test.status, test.word, e.Kind, e)
		}
	}
}

func TestErrorUnwraps(t *testing.T) {
	e := &model.Error{Text: "it broke", Err: io.ErrUnexpectedEOF}
	if !errors.Is(e, io.ErrUnexpectedEOF) || e.Error() != "it broke" {
		t.Errorf("got %v", e)
	}
}

func TestOneLineEnds(t *testing.T) {
	if got := model.OneLine(strings.Repeat("ä", 5000)); len([]rune(got)) != 1001 || !strings.HasSuffix(got, "…") {
		t.Errorf("%d characters", len([]rune(got)))
	}
	if got := model.OneLine(strings.Repeat("ä", 1000)); strings.HasSuffix(got, "…") {
		t.Error("nothing was cut off")
	}
}
