package rule

import (
	"sync"
	"sync/atomic"
)

// patience is how many texts are compared with every rule before an index is made.
// Making one costs as much as some dozen such scans, and a process that is started for
// one decision would never get that back.
const patience = 32

// patient tells when an index pays.
type patient struct {
	looks   atomic.Int32
	once    sync.Once
	indexed atomic.Bool
}

// pays counts a look and makes the index when there have been many. It reports whether
// there is one.
func (p *patient) pays(build func()) bool {
	if p.looks.Add(1) <= patience {
		return false
	}
	p.once.Do(func() {
		build()
		p.indexed.Store(true)
	})
	return true
}
