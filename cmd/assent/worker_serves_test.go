//go:build unix

package main

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/testpostgres"
	"github.com/assent-dev/assent/session"
)

// A session that is not in the database is nobody's, and no reason to try again and again.
func TestD8_ASessionThatIsGoneIsServedByNobody(t *testing.T) {
	d := newPatient(t)
	d.joining.given = testpostgres.Database(t)
	s, err := d.join(t.Context(), d.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	here, err := (&office{joined: s}).serves(nil, nil)(t.Context(), chosenID)
	if here || err != nil {
		t.Errorf("%v, %v", here, err)
	}
}

// A worker that could not give a session back finds its own name at it, and is nobody else.
func TestD8_WhoHasASession(t *testing.T) {
	for who, want := range map[string]string{
		"process 1 on elsewhere": "somebody else was faster",
		thisProcess():            "could not be given back",
	} {
		var out bytes.Buffer
		tellHeld(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug})), &session.InUse{ID: chosenID, Who: who})
		if text := out.String(); !strings.Contains(text, want) || !strings.Contains(text, chosenID) || strings.Contains(text, thisProcess()) {
			t.Errorf("%s: %s", who, text)
		}
	}
}

// Hooks get less time at the end of a run where the process ends than where only the run does.
func TestD8_HowLongTheLastHooksOfARunGet(t *testing.T) {
	stopped, stop := context.WithCancelCause(t.Context())
	stop(nil)
	taken, take := context.WithCancelCause(t.Context())
	take(&session.Taken{ID: chosenID})
	if usual, elsewhere, hasty := farewellOf(t.Context()), farewellOf(taken), farewellOf(stopped); usual != farewell || elsewhere != farewell || hasty >= 2*time.Second {
		t.Error(usual, elsewhere, hasty)
	}
}
