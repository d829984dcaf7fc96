package session

import (
	"errors"
	"testing"
)

// giving is a depot that has only the beginning of a session, and may fail when it is asked for more.
type giving struct {
	Depot
	size int64
	err  error
	lost []string
}

func (*giving) Name() string { return "giving" }

func (*giving) Files(string) (map[string][]byte, error) { return nil, nil }

func (g *giving) Bring(_ string, to Copy, _ int64) (bool, error) {
	if err := to.Truncate(g.size); err != nil {
		return false, err
	}
	return true, g.err
}

func (g *giving) Lost(_, path string) { g.lost = append(g.lost, path) }

// What a copy has beyond the depot is called lost only when all that the depot has is here: one that
// goes away in the middle may have the rest all the same. It is kept in either case.
func TestD8_NothingIsCalledLostBeforeTheDepotHasSaidAll(t *testing.T) {
	away := errors.New("connection refused")
	for name, c := range map[string]struct {
		err  error
		told int
	}{"all was said": {nil, 1}, "it went away": {away, 0}} {
		s := newStore(t)
		tr := create(t, s, one)
		first := tr.place().Offset
		put(t, tr, Noted, "beyond")
		if err := tr.Close(); err != nil {
			t.Fatal(err)
		}
		g := &giving{size: first, err: c.err}
		s.Depot = g
		if err := s.bring(one); !errors.Is(err, c.err) {
			t.Errorf("%s: %v", name, err)
		}
		if len(g.lost) != c.told || s.Beyond(one) == "" {
			t.Errorf("%s: told of %q, kept %q", name, g.lost, s.Beyond(one))
		}
	}
}
