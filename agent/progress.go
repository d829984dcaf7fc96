package agent

import (
	"sync"
	"time"

	"github.com/assent-dev/assent/tool"
	"github.com/assent-dev/assent/wire"
)

// newsInterval is the least time from one message about the progress of a call to the
// next: a tool may report every byte.
const newsInterval = time.Second

// progress tells how far a call has come, while it runs.
type progress struct {
	tell    func(wire.Message)
	id      string
	name    string
	started time.Time

	mu   sync.Mutex
	last time.Time
	over bool
}

func (r *run) progress(m *matter) *progress {
	return &progress{tell: r.tell, id: m.ID, name: m.Name, started: time.Now()}
}

// heard passes on what a tool says about a call, unless it said something just now.
func (p *progress) heard(news tool.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over || time.Since(p.last) < newsInterval {
		return
	}
	p.last = time.Now()
	p.tell(&wire.ToolProgress{
		ToolUseID: p.id, ToolName: p.name, ElapsedSeconds: time.Since(p.started).Seconds(),
		Done: news.Done, Total: news.Total, Message: news.Message,
	})
}

// end: nothing more is told about the call, whose result is next.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
}
