//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
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

// A worker that could not give a session back finds its own name at it, and is nobody else. That there
// is no session is told as well.
func TestD8_WhyASessionDoesNotGoOnQuietly(t *testing.T) {
	for want, err := range map[string]error{
		"somebody else was faster": &session.InUse{ID: chosenID, Who: "process 1 on elsewhere"},
		"could not be given back":  &session.InUse{ID: chosenID, Who: thisProcess()},
		"is not there any more":    fmt.Errorf("%w: %s", session.ErrUnknown, chosenID),
	} {
		var out bytes.Buffer
		tellQuietEnd(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug})), chosenID, err)
		if text := out.String(); !strings.Contains(text, want) || !strings.Contains(text, chosenID) || strings.Contains(text, thisProcess()) {
			t.Errorf("%v: %s", err, text)
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
