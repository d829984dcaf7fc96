package driver

import (
	"errors"
	"os"
	"sync"

	"github.com/assent-dev/assent/internal/strictjson"
)

// maxUnread is how much may wait for a program that does not read. One that asks for more
// than that and reads nothing is not worth an answer.
const maxUnread = 64 << 20

// outbox writes lines to the program, on a goroutine of its own: nobody waits for one
// that does not read.
type outbox struct {
	file   *os.File
	limit  int           // of what may wait
	wake   chan struct{} // has room for one
	broken chan struct{} // closed when nothing can be written any more

	mu       sync.Mutex
	waiting  [][]byte
	size     int
	finished bool // nothing comes any more
	isBroken bool
}

func newOutbox(file *os.File, limit int) *outbox {
	return &outbox{file: file, limit: limit, wake: make(chan struct{}, 1), broken: make(chan struct{})}
}

// errUnsent: the program can be told nothing any more.
var errUnsent = errors.New("the program can be told nothing any more")

// send queues a line.
func (o *outbox) send(v any) error {
	text, err := strictjson.Marshal(v)
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.finished || o.isBroken {
		return errUnsent
	}
	o.waiting = append(o.waiting, append(text, '\n'))
	if o.size += len(text); o.size > o.limit {
		o.snap()
		return errUnsent
	}
	o.nudge()
	return nil
}

func (o *outbox) nudge() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// snap says that nothing can be written any more; the lock is held.
func (o *outbox) snap() {
	if !o.isBroken {
		o.isBroken = true
		close(o.broken)
	}
}

// finish ends the program's input behind what waits.
func (o *outbox) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.finished = true
	o.nudge()
}

// abandon ends the program's input, whatever waits.
func (o *outbox) abandon() {
	o.mu.Lock()
	o.finished, o.waiting = true, nil
	o.nudge()
	o.mu.Unlock()
	_ = o.file.Close() // wakes a write that nobody reads
}

// run writes until the end.
func (o *outbox) run() {
	defer o.file.Close()
	for {
		o.mu.Lock()
		lines, end := o.waiting, o.finished
		o.waiting = nil
		o.mu.Unlock()
		if len(lines) == 0 && end {
			return
		}
		if len(lines) == 0 {
			<-o.wake
			continue
		}
		for _, line := range lines {
			_, err := o.file.Write(line)
			o.mu.Lock()
			o.size -= len(line) - 1
			if err != nil {
				o.snap()
			}
			o.mu.Unlock()
			if err != nil {
				return
			}
		}
	}
}
