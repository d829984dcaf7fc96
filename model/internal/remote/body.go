package remote

import (
	"bytes"
	"context"
	"io"
	"time"
)

// body is an answer that ends: after so many bytes, or so long without any.
type body struct {
	io.ReadCloser
	ctx     context.Context
	watch   *time.Timer
	end     func()
	left    int
	line    int
	longest int // that a line may be
	status  int
}

func (b *body) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, io.EOF
	}
	n, err := b.ReadCloser.Read(p)
	switch err {
	case nil:
		b.watch.Reset(Silence)
	case io.EOF:
	default:
		err = because(b.ctx, err)
	}
	longest := b.countLines(p[:n])
	b.left -= n
	switch {
	case b.left < 0 && b.status >= 300:
		return n + b.left, io.EOF // the beginning of an error says enough
	case b.left < 0 || longest > b.longest:
		return 0, ErrTooLarge
	}
	return n, err
}

// countLines is the length of the line that began before a piece, as far as it has
// come. Those inside of the piece are no longer than a buffer.
func (b *body) countLines(piece []byte) (longest int) {
	first := bytes.IndexByte(piece, '\n')
	if first < 0 {
		b.line += len(piece)
		return b.line
	}
	longest = b.line + first
	b.line = len(piece) - bytes.LastIndexByte(piece, '\n') - 1
	return longest
}

func (b *body) Close() error {
	b.end()
	return b.ReadCloser.Close()
}
