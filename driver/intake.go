package driver

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"sync"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/wire"
)

// maxUntold is how much of what the program said may wait until it is told. Beyond it
// the program waits, unless somebody here waits for an answer of it: the one who is told
// may be the same.
const maxUntold = 16 << 20

// intake takes the program's output apart. Answers go to who waits for them at once.
// Messages and questions are dealt with in their order by a goroutine of its own: a
// question is not answered before all is told that was said before it.
type intake struct {
	driver *Driver
	line   []byte // as far as it has come
	number int    // of the lines that are complete
	wrong  error  // with a line that cannot be read; what follows it is not looked at

	mu    sync.Mutex
	queue []item
	size  int
	open  bool // more may come
	freed bool // nobody waits for room
	room  chan struct{}
	wake  chan struct{}
}

// item is a message or a question. Ends is the work whose last message it is.
type item struct {
	message  wire.Message
	question *question
	ends     *work
	size     int
}

func newIntake(d *Driver) *intake {
	return &intake{driver: d, open: true, room: make(chan struct{}, 1), wake: make(chan struct{}, 1)}
}

// take takes a piece of the output. It is called by one goroutine at a time.
func (in *intake) take(piece []byte) {
	for len(piece) > 0 && in.wrong == nil {
		end := bytes.IndexByte(piece, '\n')
		if end < 0 {
			in.line = append(in.line, piece...)
			if len(in.line) > wire.MaxLine {
				in.refuse(fmt.Errorf("it is longer than %d MB: %w", wire.MaxLine>>20, strictjson.ErrLineTooLong))
			}
			return
		}
		line := append(in.line, piece[:end]...)
		in.line, piece = nil, piece[end+1:]
		in.whole(line)
	}
}

// refuse has the program ended because of a line.
func (in *intake) refuse(err error) {
	in.wrong, in.line = &LineError{in.number + 1, err}, nil
	in.driver.fail(in.wrong)
}

// whole takes a line.
func (in *intake) whole(line []byte) {
	if len(bytes.TrimSpace(line)) > 0 {
		if err := in.sort(line); err != nil {
			in.refuse(err)
			return
		}
	}
	in.number++
}

func (in *intake) sort(line []byte) error {
	c, isControl, err := wire.ReadControl(line)
	switch {
	case err != nil:
		return err
	case isControl:
		in.control(c)
		return nil
	}
	m, err := wire.Decode(line)
	if err != nil {
		return err
	}
	if r, isResult := m.(*wire.Result); isResult && r.Subtype == "" {
		return errors.New("a result has no subtype, so nobody knows how the work went")
	}
	in.driver.hooks.correct(m)
	if ends, meant := in.driver.notice(m); meant {
		in.push(item{message: m, ends: ends, size: len(line)})
	}
	return nil
}

func (in *intake) control(c wire.Control) {
	d := in.driver
	switch c.Kind {
	case wire.Answered, wire.Refused:
		d.asked.deliver(c)
	case wire.Withdrawn:
		d.asked.withdraw(c.ID)
	case wire.Asked:
		q, err := d.asked.take(d.life, c)
		if err != nil {
			d.respond(c.ID, nil, err)
			return
		}
		in.push(item{question: q, size: len(c.Body)})
	}
}

// push queues an item. It waits while there is no room.
func (in *intake) push(i item) {
	in.mu.Lock()
	in.queue = append(in.queue, i)
	in.size += i.size
	in.mu.Unlock()
	signal(in.wake)
	for !in.hasRoom() {
		<-in.room
	}
}

func (in *intake) hasRoom() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.freed || in.size <= cmp.Or(in.driver.options.maxUntold, maxUntold) || in.driver.asked.waits()
}

// release lets nobody wait for room any more.
func (in *intake) release() {
	in.mu.Lock()
	in.freed = true
	in.mu.Unlock()
	signal(in.room)
}

// last takes what is left when all was taken: a last line without an end is one. If it
// cannot be read, that says nothing about a program that was cut off.
func (in *intake) last(cutOff bool) {
	if in.wrong != nil || len(in.line) == 0 {
		return
	}
	if err := in.sort(in.line); err != nil && !cutOff {
		in.refuse(err)
	}
}

// end says that no more comes.
func (in *intake) end() {
	in.mu.Lock()
	in.open = false
	in.mu.Unlock()
	signal(in.wake)
}

// run deals with what has come, until no more comes.
func (in *intake) run() {
	d := in.driver
	defer close(d.told)
	for range in.wake {
		for {
			i, ok, open := in.next()
			if !ok && !open {
				return
			}
			if !ok {
				break
			}
			if i.question != nil {
				d.answer(i.question)
				continue
			}
			d.options.Tell(i.message)
			if i.ends != nil {
				close(i.ends.done)
			}
		}
	}
}

func (in *intake) next() (i item, ok, open bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.queue) == 0 {
		return item{}, false, in.open
	}
	i, in.queue = in.queue[0], in.queue[1:]
	in.size -= i.size
	signal(in.room)
	return i, true, true
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
