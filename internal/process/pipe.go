package process

import (
	"io"
	"os"
)

// pieceSize is what one read takes from a pipe.
const pieceSize = 32 << 10

// pipe reads one output of a process on a goroutine of its own, so that the process
// never waits for us.
type pipe struct {
	file *os.File
	take func(piece []byte)
	// done is closed when the goroutine has ended; ended then says whether the output
	// has.
	done  chan struct{}
	ended bool
}

// newPipe makes a pipe. The writer is for the process; the caller closes it once the
// process has started.
func newPipe(take func(piece []byte)) (p *pipe, writer *os.File, err error) {
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	return &pipe{file: reader, take: take, done: make(chan struct{})}, writer, nil
}

// read starts to read.
func (p *pipe) read() {
	go func() {
		defer close(p.done)
		piece := make([]byte, pieceSize)
		for {
			n, err := p.file.Read(piece)
			if n > 0 {
				p.take(piece[:n])
			}
			if err != nil {
				p.ended = err == io.EOF
				return
			}
		}
	}()
}

// stop ends the reading and takes what is in the pipe already. Somebody outside of the
// group may still hold the other end, so it never waits for the end of the output.
func (p *pipe) stop() {
	p.interrupt()
	_ = p.file.Close()
}

// held reports, after stop, whether somebody still holds the other end.
func (p *pipe) held() bool {
	select {
	case <-p.done:
		return !p.ended
	default:
		return true
	}
}

// discard closes a pipe that was never read.
func (p *pipe) discard() { _ = p.file.Close() }
