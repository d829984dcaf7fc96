package oidc

import (
	"errors"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
)

// The page that says no is one as others are: with a main part for those who jump to it, and the
// icon of the inbox.
func TestThePageThatSaysNo(t *testing.T) {
	h := &Handler{log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	h.settings.Name = "Example <b>"
	answer := httptest.NewRecorder()
	h.fail(answer, &failure{noRole, errors.New("no group")})
	body := answer.Body.String()
	for _, want := range []string{"<main>", "</main>", `<link rel="icon" href="/icon.svg" type="image/svg+xml">`, "Example &lt;b&gt;"} {
		if !strings.Contains(body, want) {
			t.Errorf("there is no %s: %s", want, body)
		}
	}
}

// Somebody who never was signed in has lost nothing, and is not told that something has ended.
func TestNobodyIsToldThatNothingHasEnded(t *testing.T) {
	_, sentence := noRole.tell("Example")
	if strings.Contains(sentence, "has ended") && !strings.Contains(sentence, "If you were signed in here") {
		t.Error(sentence)
	}
}
