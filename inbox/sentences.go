package inbox

import (
	"hash/maphash"
	"sync"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/client"
)

// sentences are those of long calls, which cost much to read. A list shows them again and
// again, and they never change.
var sentences memory

// memory remembers the sentences of calls.
type memory struct {
	mu   sync.Mutex
	seed maphash.Seed
	all  map[memorised]saying
}

// saying is the sentence of a call, and how much of the call it shows.
type saying struct {
	text  string
	shown client.Shown
}

func sayingOf(c approval.Call) saying {
	text := Sentence(c)
	return saying{text, shownIn(text, c)}
}

// memorised tells calls apart. Nobody outside knows the seed of the sum, so nobody can make
// a call that is taken for another one.
type memorised struct {
	tool string
	sum  uint64
	size int
}

const (
	// longInput is from how many bytes on it is worth to remember a sentence.
	longInput = 1 << 10
	// maxRemembered is how many sentences are remembered.
	maxRemembered = 4096
)

// of is the sentence of a call.
func (m *memory) of(c approval.Call) string { return m.look(c).text }

// look is the sentence of a call, and how much it shows.
func (m *memory) look(c approval.Call) saying {
	if len(c.Input) < longInput {
		return sayingOf(c)
	}
	key := m.key(c)
	m.mu.Lock()
	said, known := m.all[key]
	m.mu.Unlock()
	if known {
		return said
	}
	said = sayingOf(c)
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.all) >= maxRemembered {
		clear(m.all) // those that are still looked at come back
	}
	m.all[key] = said
	return said
}

func (m *memory) key(c approval.Call) memorised {
	m.mu.Lock()
	if m.all == nil {
		m.seed, m.all = maphash.MakeSeed(), map[memorised]saying{}
	}
	seed := m.seed
	m.mu.Unlock()
	return memorised{c.Tool, maphash.Bytes(seed, c.Input), len(c.Input)}
}
