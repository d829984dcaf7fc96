//go:build unix

package process

import (
	"syscall"
	"time"
)

func (p *pipe) interrupt() {
	if p.file.SetReadDeadline(time.Unix(1, 0)) != nil {
		_ = p.file.Close() // wakes the reader, too
	}
	<-p.done
	if !p.ended {
		p.drain()
	}
}

// drainPieces is how much is taken from a pipe at the end: more than one holds. Whoever
// is out of reach and goes on printing must not keep us.
const drainPieces = 64

func (p *pipe) drain() {
	if p.file.SetReadDeadline(time.Time{}) != nil {
		return
	}
	raw, err := p.file.SyscallConn()
	if err != nil {
		return
	}
	piece := make([]byte, pieceSize)
	for range drainPieces {
		n := 0
		err := raw.Read(func(fd uintptr) bool {
			for {
				var err error
				if n, err = syscall.Read(int(fd), piece); err != syscall.EINTR {
					return true // also when there is nothing: do not wait
				}
			}
		})
		if err != nil || n <= 0 {
			p.ended = err == nil && n == 0
			return
		}
		p.take(piece[:n])
	}
}
