package hook

import (
	"bytes"
	"io"
	"sync"
)

// limited keeps what a hook prints, as long as that is not too much.
type limited struct {
	mu   sync.Mutex
	text []byte
	max  int
	// deaf: nobody is interested any more.
	deaf bool
	// over is closed when there was more than max, and endless when there was so much
	// more that nobody waits for its end.
	over, endless chan struct{}
	lost          int // bytes that were thrown away since over
}

// maxLost is how much is thrown away of an output that is too much already.
const maxLost = 64 << 20

func newLimited(max int) *limited {
	return &limited{max: max, over: make(chan struct{}), endless: make(chan struct{})}
}

// take keeps a piece and reports whether more is wanted.
func (l *limited) take(piece []byte) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.deaf {
		l.lose(len(piece))
		return false
	}
	room := l.max - len(l.text)
	if len(piece) > room {
		l.text = append(l.text, piece[:room]...)
		l.deaf = true
		close(l.over)
		l.lose(len(piece) - room)
		return false
	}
	l.text = append(l.text, piece...)
	return true
}

func (l *limited) lose(n int) {
	if l.lost <= maxLost && l.lost+n > maxLost && isClosed(l.over) {
		close(l.endless)
	}
	l.lost = min(l.lost+n, maxLost+1)
}

// ignore throws away what comes from now on.
func (l *limited) ignore() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.deaf = true
}

// bytes is a copy of what was kept.
func (l *limited) bytes() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Clone(l.text)
}

// firstLine is the first complete line that is not blank; nil as long as there is none.
func (l *limited) firstLine() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := bytes.TrimLeft(l.text, " \t\r\n")
	line, _, complete := bytes.Cut(text, []byte{'\n'})
	if !complete {
		return nil
	}
	return bytes.Clone(bytes.TrimRight(line, " \t\r"))
}

// readLimited reads all of r; over is true when that is more than max bytes.
func readLimited(r io.Reader, max int) (text []byte, over bool, err error) {
	text, err = io.ReadAll(io.LimitReader(r, int64(max)+1))
	if len(text) > max {
		return nil, true, nil
	}
	return text, false, err
}
