package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/cmd/internal/hookcmd"
)

// The process that holds a call is told of the database that the guard was told of, and of no
// other.
func TestA5_WhoHoldsACallKnowsTheDatabase(t *testing.T) {
	t.Setenv(hookcmd.DatabaseVariable, "postgres://of-the-environment/x")
	for _, address := range []string{"", "postgres://of-the-flag/x"} {
		var found []string
		all := environment(hookcmd.Place{Database: address})
		for _, one := range all {
			if name, value, _ := strings.Cut(one, "="); name == hookcmd.DatabaseVariable {
				found = append(found, value)
			}
		}
		want := []string{address}
		if address == "" {
			want = nil
		}
		if !slices.Equal(found, want) || len(all) < 2 {
			t.Errorf("%q for %q", found, address)
		}
	}
}
