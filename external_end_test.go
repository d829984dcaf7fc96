//go:build unix

package assent_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/driver"
)

// A program that takes up what waits and says something about it that cannot be read has
// not said that nothing has waited, in however good an order it ends.
func TestK1_ExternalTakesUpAndCannotBeRead(t *testing.T) {
	for name, tt := range map[string]struct {
		words   string // of the program, at the end of its input
		pending bool
	}{
		"it says nothing":                    {"", false},
		"a result without a subtype":         {`printf '%s\n' '{"type":"result","subtype":"","result":"deployed"}'`, true},
		"a result without a subtype, no end": {`printf '%s' '{"type":"result","subtype":"","result":"deployed"}'`, true},
		"something that is no message":       {`printf deployed`, true},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "program")
			err := os.WriteFile(path, []byte(`#!/bin/sh
read line; id=${line#*\"request_id\":\"}; id=${id%%\"*}
echo "{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":\"$id\",\"response\":{}}}"
while read x; do :; done
`+tt.words+"\nexit 0\n"), 0o700)
			if err != nil {
				t.Fatal(err)
			}
			_, err = assent.Run(t.Context(), "", assent.External(path), assent.Dir(t.TempDir()), assent.Resume(anID))
			var exit *assent.ExitError
			unread := errors.As(err, &exit) && errors.As(err, new(*driver.LineError))
			if unread != tt.pending || errors.Is(err, assent.ErrNothingPending) == tt.pending {
				t.Errorf("%v", err)
			}
		})
	}
}
