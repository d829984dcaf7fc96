//go:build unix

package socket

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/assent-dev/assent/inbox/socket/line"
	"github.com/assent-dev/assent/internal/room"
)

const (
	// maxWaiting is how many guards may wait at once, and maxSilent how many may be about to say for
	// what.
	maxWaiting = 1024
	maxSilent  = 256
	// asking and telling are how long a line may take to come and to go.
	asking  = 10 * time.Second
	telling = 5 * time.Second
)

// Server is the keeper on a socket in a state directory.
type Server struct {
	keeper   *Keeper
	listener *net.UnixListener
	done     func()
	// silent are connections that have not said anything yet, and waiting the guards that wait, by
	// their sessions: one that asks without end keeps the guards of the others from nothing.
	silent  *room.Room[*net.UnixConn]
	waiting *room.Room[context.CancelFunc]
	// sameUser checks who is at the other end.
	sameUser func(fd int) error
}

// Listen makes the socket. Whoever calls it has made sure that no other server serves the
// state directory: a socket that is left there is that of one which has died.
func Listen(dir string, k *Keeper) (*Server, error) {
	path := filepath.Join(dir, line.SocketName)
	if err := removeSocket(path); err != nil {
		return nil, err
	}
	name, done, err := line.Address(path)
	if err != nil {
		return nil, err
	}
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: name, Net: "unix"})
	if err == nil {
		err = os.Chmod(path, 0o600)
	}
	if err != nil {
		if listener != nil {
			_ = listener.Close() // the first error says more
		}
		done()
		return nil, fmt.Errorf("the socket for guards cannot be made: %w", err)
	}
	return &Server{keeper: k, listener: listener, done: done, sameUser: line.SameUser, silent: room.New[*net.UnixConn](room.Fits(maxSilent)), waiting: room.New[context.CancelFunc](room.Fits(maxWaiting))}, nil
}

// removeSocket removes a socket that was left, and nothing else.
func removeSocket(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode()&fs.ModeSocket == 0:
		return fmt.Errorf("%s is in the way of the socket for guards: move it away", path)
	}
	return os.Remove(path)
}

// Run serves until the context ends. Those who wait then are told nothing, as by a server that
// dies: they ask the one that comes after it. The socket is gone before Run returns.
func (s *Server) Run(ctx context.Context) error {
	defer s.done()
	stop := context.AfterFunc(ctx, func() { _ = s.listener.Close() }) // which also removes the socket
	defer stop()
	var all sync.WaitGroup
	defer all.Wait()
	for {
		conn, err := s.listener.AcceptUnix()
		switch {
		case ctx.Err() != nil:
			if conn != nil { // which nobody answers any more
				_ = conn.Close()
			}
			return nil
		case err != nil && errors.Is(err, net.ErrClosed):
			return err
		case err != nil: // too many files: guards that wait make room
			pause(ctx, 100*time.Millisecond)
			continue
		}
		all.Go(func() { s.serve(ctx, conn) })
	}
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// serve answers one guard.
func (s *Server) serve(ctx context.Context, conn *net.UnixConn) {
	defer conn.Close()
	reply, err := s.reply(ctx, conn)
	if err != nil {
		reply = line.Reply{Error: err.Error()}
	}
	if ctx.Err() != nil && !answered(reply) {
		return
	}
	text, err := line.Answer(reply)
	if err != nil {
		text, _ = line.Answer(line.Reply{Error: "the answer cannot be written"}) // any sentence can
	}
	_ = conn.SetWriteDeadline(time.Now().Add(telling))
	_, _ = conn.Write(text) // whoever has gone has denied already
}

// answered: the guard has its answer. It is used up by that, so it has to be told.
func answered(r line.Reply) bool { return r.State == line.Allowed || r.State == line.Denied }

func (s *Server) reply(ctx context.Context, conn *net.UnixConn) (line.Reply, error) {
	if err := s.check(conn); err != nil {
		return line.Reply{}, err
	}
	in := bufio.NewReader(conn)
	h, err := s.asked(conn, in)
	if err != nil {
		return line.Reply{}, err
	}
	_ = conn.SetReadDeadline(time.Time{})
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	place, gone := s.waiting.Enter(h.Asker+" "+h.Session, stop)
	defer place.Leave()
	if gone != nil { // it is told that nobody has answered yet
		gone.What()
	}
	go func() { // it ends with the connection
		_, _ = in.ReadByte() // nothing more may come: whoever goes, or says more, gets no yes
		stop()
	}()
	return s.keeper.Keep(ctx, h), nil
}

// asked is for what a guard wants to wait. The one that has been about to say so for the longest
// makes room for another one, and asks again if it is a guard.
func (s *Server) asked(conn *net.UnixConn, in *bufio.Reader) (line.Hold, error) {
	place, gone := s.silent.Enter("", conn)
	defer place.Leave()
	if gone != nil {
		_ = gone.What.Close() // which it notices
	}
	_ = conn.SetReadDeadline(time.Now().Add(asking))
	text, err := readLine(in)
	if err != nil {
		return line.Hold{}, err
	}
	return line.ReadRequest(text)
}

// check refuses processes of other users.
func (s *Server) check(conn *net.UnixConn) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	var stranger error
	if err := raw.Control(func(fd uintptr) { stranger = s.sameUser(int(fd)) }); err != nil {
		return err
	}
	return stranger
}

// readLine reads one line that is not too long.
func readLine(in *bufio.Reader) ([]byte, error) {
	var all []byte
	for {
		part, err := in.ReadSlice('\n')
		if all = append(all, part...); len(all) > line.MaxRequest {
			return nil, errors.New("the request is too long")
		}
		switch {
		case err == nil:
			return all[:len(all)-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			return nil, errors.New("the request is not a whole line")
		default:
			return nil, fmt.Errorf("the request cannot be read: %w", err)
		}
	}
}
