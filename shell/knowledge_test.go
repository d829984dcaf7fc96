package shell

import (
	"strconv"
	"sync"
	"testing"
)

// Texts may name any number of programs that do not exist. They neither fill the
// memory nor keep those that matter out of it.
func TestMemoryIsBounded(t *testing.T) {
	var m memory
	for i := range mostRemembered {
		m.about("no-such-program-" + strconv.Itoa(i) + "x")
	}
	if n := len(*m.programs.Load()); n != mostRemembered/2 {
		t.Errorf("%d names are remembered, want %d", n, mostRemembered/2)
	}
	if first := m.about("rm"); m.about("rm") != first {
		t.Error("rm is not remembered")
	}
	for i := range mostRemembered {
		m.about("python" + strconv.Itoa(i))
	}
	if n := len(*m.programs.Load()); n != mostRemembered {
		t.Errorf("%d names are remembered, want %d", n, mostRemembered)
	}
}

func TestMemoryIsShared(t *testing.T) {
	var m memory
	names := []string{"rm", "git", "docker", "xargs", "no-such-program"}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for _, name := range names {
				if got, want := m.about(name), lookUp(name); got.spec != want.spec || got.wrapper != want.wrapper {
					t.Errorf("%s: something else is remembered", name)
				}
			}
		})
	}
	wait.Wait()
	if n := len(*m.programs.Load()); n != len(names) {
		t.Errorf("%d names are remembered, want %d", n, len(names))
	}
}
