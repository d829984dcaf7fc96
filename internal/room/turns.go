package room

import (
	"context"
	"errors"
	"sync"
)

// Turns let so many at a time do what costs much, and so many wait for it. Whoever waits is served in
// turn: first by the network that they come from, then by the parts of it, so that one who asks for much
// waits behind themselves. Where too many wait, the one who has the most gives up the oldest.
type Turns struct {
	most int

	mu   sync.Mutex
	free int
	line line
}

// ErrGivenUp: so many wait that one of those who have the most had to give up.
var ErrGivenUp = errors.New("too many wait at the same time")

// NewTurns lets so many do something at the same time, and so many wait.
func NewTurns(atOnce, waiting int) *Turns {
	return &Turns{most: max(waiting, 1), free: max(atOnce, 1)}
}

// turn is one that is waited for. It is told nil when it has come.
type turn struct{ come chan error }

// Take waits for a turn of somebody who comes from a part of a network. The caller calls done when
// it is over.
func (t *Turns) Take(ctx context.Context, network, part string) (done func(), err error) {
	who := []string{network, part}
	mine := &turn{make(chan error, 1)}
	t.mu.Lock()
	if t.free > 0 { // then nobody waits
		t.free--
		t.mu.Unlock()
		return t.done, nil
	}
	t.line.add(mine, who)
	if t.line.length > t.most {
		t.line.shorten().come <- ErrGivenUp
	}
	t.mu.Unlock()
	select {
	case err = <-mine.come:
	case <-ctx.Done():
		t.mu.Lock()
		if !t.line.remove(mine, who) && <-mine.come == nil { // it has come meanwhile
			t.pass()
		}
		t.mu.Unlock()
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return t.done, nil
}

func (t *Turns) done() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pass()
}

// pass lets the next one have the turn of one that is over.
func (t *Turns) pass() {
	if t.line.length == 0 {
		t.free++
		return
	}
	t.line.next().come <- nil
}

// line is who waits: those who cannot be told apart any more in the order in which they came, the
// others by what tells them apart.
type line struct {
	length int
	waits  []*turn
	// order is whose turn is next.
	order []string
	parts map[string]*line
}

func (l *line) add(t *turn, who []string) {
	l.length++
	if len(who) == 0 {
		l.waits = append(l.waits, t)
		return
	}
	part := l.parts[who[0]]
	if part == nil {
		if l.parts == nil {
			l.parts = map[string]*line{}
		}
		part = &line{}
		l.parts[who[0]], l.order = part, append(l.order, who[0])
	}
	part.add(t, who[1:])
}

// next takes the one out whose turn it is.
func (l *line) next() *turn {
	if len(l.order) == 0 {
		return l.first()
	}
	who := l.order[0]
	t := l.parts[who].next()
	l.order = append(l.order[1:], who)
	l.left(who)
	return t
}

// shorten takes the oldest one out of the longest part.
func (l *line) shorten() *turn {
	if len(l.order) == 0 {
		return l.first()
	}
	longest := l.order[0]
	for _, who := range l.order {
		if l.parts[who].length > l.parts[longest].length {
			longest = who
		}
	}
	t := l.parts[longest].shorten()
	l.left(longest)
	return t
}

func (l *line) first() *turn {
	t := l.waits[0]
	l.waits, l.length = l.waits[1:], l.length-1
	return t
}

// remove takes one out who does not want to wait any more. It reports whether that one still waited.
func (l *line) remove(t *turn, who []string) bool {
	if len(who) == 0 {
		for i, other := range l.waits {
			if other == t {
				l.waits = append(l.waits[:i:i], l.waits[i+1:]...)
				l.length--
				return true
			}
		}
		return false
	}
	part := l.parts[who[0]]
	if part == nil || !part.remove(t, who[1:]) {
		return false
	}
	l.left(who[0])
	return true
}

// left: one of a part has gone.
func (l *line) left(who string) {
	l.length--
	if l.parts[who].length > 0 {
		return
	}
	delete(l.parts, who)
	for i, other := range l.order {
		if other == who {
			l.order = append(l.order[:i:i], l.order[i+1:]...)
			return
		}
	}
}
