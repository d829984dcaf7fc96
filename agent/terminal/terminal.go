package terminal

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
)

// Terminal is the terminal of a person. It is safe for concurrent use.
type Terminal struct {
	dev   device
	paint paint
	calls
	// slot is held by whoever reads: a question, or the prompt.
	slot    chan struct{}
	waiting atomic.Int32

	// mu guards what is printed.
	mu       sync.Mutex
	asking   bool // a question stands there
	question standing
	prompt   string // a prompt stands there
	held     strings.Builder
	lost     int // how much could not be held
	// stale: a question was answered by somebody else, perhaps in the middle of an answer.
	stale bool
	// unwatch ends what watches for the process going on after it was stopped.
	unwatch func()
}

// Open takes the terminal that controls this process. color: it may be used.
func Open(color bool) (*Terminal, error) {
	dev, err := openDevice()
	if err != nil {
		return nil, err
	}
	t := newTerminal(dev, color)
	t.unwatch = whenContinued(t.recall)
	return t, nil
}

func newTerminal(dev device, color bool) *Terminal {
	return &Terminal{dev: dev, paint: paint(color), slot: make(chan struct{}, 1)}
}

// Close gives the terminal back. It waits for a question that is about to end: the
// terminal is left as it was found.
func (t *Terminal) Close() error {
	t.slot <- struct{}{}
	if t.unwatch != nil {
		t.unwatch()
	}
	return t.dev.close()
}

// maxHeld is how much is kept of what happens while a question stands there.
const maxHeld = 1 << 20

// print prints rows. Those that come in the middle of a question wait for its end.
func (t *Terminal) print(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.asking && t.held.Len()+len(text) > maxHeld:
		t.lost++
	case t.asking:
		t.held.WriteString(text)
	case t.prompt != "":
		t.write("\n" + text + t.prompt)
	default:
		t.write(text)
	}
}

// write prints at once. A terminal that is gone takes nothing; reading from it says so.
func (t *Terminal) write(text string) { _, _ = t.dev.Write([]byte(text)) }

// exclusive waits for the turn of a question. Nothing else is printed until release.
func (t *Terminal) exclusive(ctx context.Context) (release func(), err error) {
	t.waiting.Add(1)
	defer t.waiting.Add(-1)
	select {
	case t.slot <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	t.mu.Lock()
	t.asking = true
	t.mu.Unlock()
	return t.release, nil
}

func (t *Terminal) release() {
	t.mu.Lock()
	t.asking, t.question = false, standing{}
	t.write(t.held.String())
	t.held.Reset()
	if t.lost > 0 {
		t.write("(" + count(t.lost, "message") + " that came during the question could not be kept)\n")
		t.lost = 0
	}
	t.mu.Unlock()
	<-t.slot
}

// Line asks for a line of text: the next prompt. io.EOF means that there is none.
func (t *Terminal) Line(ctx context.Context, prompt string) (string, error) {
	select {
	case t.slot <- struct{}{}:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	defer func() { <-t.slot }()
	if err := t.settled(ctx); err != nil {
		return "", err
	}
	t.mu.Lock()
	t.write(prompt)
	t.prompt = prompt
	t.mu.Unlock()
	line, err := t.dev.line(ctx)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prompt = ""
	if err != nil {
		t.write("\n")
	}
	return line, err
}
