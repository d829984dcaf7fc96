package assent_test

import (
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent"
)

// side is one of the two ways to work off a prompt.
type side struct {
	*place
	external bool
}

// with are options for a session whose model plays a script.
func (s side) with(turns string, more ...assent.Option) []assent.Option {
	s.t.Helper()
	if !s.external {
		return s.place.with(turns, more...)
	}
	script := put(s.t, filepath.Join(s.home, "script.yaml"), turns)
	return append([]assent.Option{assent.External(buildAssent(s.t)), assent.Dir(s.dir), assent.Model("script:" + script)}, more...)
}

// bothSides runs a test in this process and through the program: a Go program may count on
// the same.
func bothSides(t *testing.T, test func(t *testing.T, s side)) {
	t.Helper()
	t.Run("in process", func(t *testing.T) { test(t, side{newPlace(t), false}) })
	t.Run("external", func(t *testing.T) {
		p := newPlace(t)
		buildAssent(t) // while the home is still that of the build cache
		t.Setenv("HOME", p.home)
		t.Setenv("ASSENT_HOME", p.state)
		test(t, side{p, true})
	})
}
