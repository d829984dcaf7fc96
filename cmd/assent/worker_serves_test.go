//go:build unix

package main

import (
	"testing"

	"github.com/assent-dev/assent/internal/testpostgres"
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
