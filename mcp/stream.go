package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxNoise is how much a program may print that is no message, from one message to the
// next. Some greet or log; one that does nothing else will never answer.
const maxNoise = 1 << 20

// maxQueue is how much may wait for a program that does not read.
const maxQueue = 2 * maxMessage

// errBroken: the stream cannot be used any more.
var errBroken = errors.New("the connection is broken")

// stream is a connection with one message on each line. Writing never waits for the
// other side: who does not read must not hold up who wants to end.
type stream struct {
	reader io.ReadCloser
	lines  *bufio.Reader
	writer io.WriteCloser

	mu      sync.Mutex
	queue   [][]byte
	queued  int
	fault   error // why nothing can be written any more
	wake    chan struct{}
	closed  chan struct{}
	written chan struct{} // closed when the writing goroutine has ended
}

func newStream(reader io.ReadCloser, writer io.WriteCloser) *stream {
	s := &stream{
		reader: reader, lines: bufio.NewReaderSize(reader, 64<<10), writer: writer,
		wake: make(chan struct{}, 1), closed: make(chan struct{}), written: make(chan struct{}),
	}
	go s.drain()
	return s
}

// SessionID is "": a program has one session.
func (s *stream) SessionID() string { return "" }

// Close ends the connection. It does not wait.
func (s *stream) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fault == nil {
		s.fault = io.ErrClosedPipe
	}
	select {
	case <-s.closed:
		return nil
	default:
	}
	close(s.closed)
	_ = s.reader.Close()
	_ = s.writer.Close()
	return nil
}

// wait waits for the writing goroutine; the stream is closed.
func (s *stream) wait() { <-s.written }

// Write puts a message into the queue.
func (s *stream) Write(_ context.Context, message jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.fault != nil:
		return s.fault
	case s.queued+len(data) > maxQueue:
		return fmt.Errorf("%w: the server does not read what it is sent", errBroken)
	}
	s.queue = append(s.queue, append(data, '\n'))
	s.queued += len(data)
	select {
	case s.wake <- struct{}{}:
	default:
	}
	return nil
}

// drain writes what is in the queue.
func (s *stream) drain() {
	defer close(s.written)
	for {
		select {
		case <-s.wake:
		case <-s.closed:
			return
		}
		for {
			data := s.next()
			if data == nil {
				break
			}
			if _, err := s.writer.Write(data); err != nil {
				s.mu.Lock()
				if s.fault == nil {
					s.fault = fmt.Errorf("%w: the server has closed its input", errBroken)
				}
				s.mu.Unlock()
				return
			}
		}
	}
}

func (s *stream) next() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 {
		return nil
	}
	data := s.queue[0]
	s.queue = s.queue[1:]
	s.queued -= len(data) - 1
	return data
}

// Read returns the next message. Lines that are none are skipped.
func (s *stream) Read(ctx context.Context) (jsonrpc.Message, error) {
	noise := 0
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		line, err := s.line()
		if err != nil {
			return nil, err
		}
		if line[0] == '{' {
			if message, err := jsonrpc.DecodeMessage(line); err == nil {
				return message, nil
			}
		}
		if noise += len(line); noise > maxNoise {
			return nil, fmt.Errorf("%w: the server prints what is no JSON-RPC message: %s", errBroken, quoted(plain(string(line))))
		}
	}
}

// line is the next line that is not empty, without the blanks around it.
func (s *stream) line() ([]byte, error) {
	var line []byte
	for {
		piece, err := s.lines.ReadSlice('\n')
		line = append(line, piece...)
		switch {
		case len(line) > maxMessage:
			return nil, fmt.Errorf("%w: the server sent a message of more than %d bytes", errBroken, maxMessage)
		case err == bufio.ErrBufferFull:
			continue
		case err != nil:
			return nil, io.EOF // what is not ended by a line feed is not whole
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
		line = line[:0]
	}
}
