package main

import (
	"strings"
	"testing"
)

// Labels say which workers may go on with a session, and workers look for sessions in a database:
// whoever forgets to name it would wait for somebody who never looks.
func TestLabelsNeedADatabase(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	if _, complained, status := p.short("--labels", "gpu", "x"); status == 0 || !strings.Contains(complained, "--labels are for workers") || !strings.Contains(complained, "ASSENT_DATABASE") {
		t.Errorf("exit status %d, %s", status, complained)
	}
	begun := func() bool { return p.has("../home/.assent/sessions") }
	if begun() {
		t.Error("a session was begun")
	}
	if _, complained, status := p.short("x"); status != 0 || !begun() { // else the look above would see none in any case
		t.Errorf("exit status %d, %s", status, complained)
	}
}
