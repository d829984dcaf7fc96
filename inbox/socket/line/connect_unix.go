//go:build unix

package line

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// connection is a socket of the system. The packages for networks would cost every start
// of the guard more than a decision does.
type connection struct {
	fd int
	// mu keeps a number that the system has given away again from being hung up.
	mu     sync.Mutex
	closed bool
}

// connect reaches the server of a state directory. It must run as the same user: what
// another one says is no answer.
func connect(dir string) (*connection, error) {
	path, done, err := Address(filepath.Join(dir, SocketName))
	if err != nil {
		return nil, unless(err, ErrNoServer)
	}
	defer done()
	fd, err := socket()
	if err != nil {
		return nil, fmt.Errorf("the inbox cannot be reached: %w", err)
	}
	c := &connection{fd: fd}
	err = retried(func() error { return syscall.Connect(fd, &syscall.SockaddrUnix{Name: path}) })
	if err == nil {
		err = SameUser(fd)
	}
	if err != nil {
		c.close()
		return nil, unless(fmt.Errorf("the inbox cannot be reached: %w", err), ErrNoServer)
	}
	return c, nil
}

// unless is the error, or the other one where it says that nobody listens.
func unless(err, nobody error) error {
	if errors.Is(err, syscall.ENOENT) || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ENOTDIR) {
		return nobody
	}
	return err
}

func socket() (int, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	return fd, err
}

// retried repeats what a signal has interrupted.
func retried(do func() error) error {
	for {
		if err := do(); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

func (c *connection) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	_ = syscall.Close(c.fd)
}

// hangUp ends the conversation for both sides, also while this one waits.
func (c *connection) hangUp() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		_ = syscall.Shutdown(c.fd, syscall.SHUT_RDWR)
	}
}

func (c *connection) write(text []byte, until time.Time) error {
	for len(text) > 0 {
		if err := c.limit(syscall.SO_SNDTIMEO, until); err != nil {
			return err
		}
		n, err := send(c.fd, text)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET):
			return c.parting(until)
		case err != nil:
			return c.failed(err)
		default:
			text = text[n:]
		}
	}
	return nil
}

// parting is why the server has closed the connection: it may have said so.
func (c *connection) parting(until time.Time) error {
	text, err := c.line(until)
	if err != nil {
		return errGone
	}
	if _, err := ReadReply(text); err != nil {
		return err
	}
	return errGone
}

// read is what has come, nothing if the server has gone.
func (c *connection) read(into []byte, until time.Time) (int, error) {
	for {
		if err := c.limit(syscall.SO_RCVTIMEO, until); err != nil {
			return 0, err
		}
		n, err := syscall.Read(c.fd, into)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.ECONNRESET):
			return 0, nil
		case err != nil:
			return 0, c.failed(err)
		default:
			return n, nil
		}
	}
}

// limit bounds how long the next step may take.
func (c *connection) limit(which int, until time.Time) error {
	left := time.Until(until)
	if left <= 0 {
		return errLate
	}
	t := syscall.NsecToTimeval(max(left, time.Millisecond).Nanoseconds())
	return syscall.SetsockoptTimeval(c.fd, syscall.SOL_SOCKET, which, &t)
}

var errLate = errors.New("the server of the inbox does not answer (see that `assent serve` works)")

func (c *connection) failed(err error) error {
	if errors.Is(err, syscall.EAGAIN) {
		return errLate
	}
	return fmt.Errorf("the server of the inbox cannot be talked to: %w", err)
}

// longestName is how long the name of a socket may be everywhere.
const longestName = 100

// Address is the name under which a socket is reached. One that is too long for the system
// is named from its directory, where that is possible; done lets go of it.
func Address(path string) (name string, done func(), err error) {
	if len(path) <= longestName {
		return path, func() {}, nil
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return "", nil, err
	}
	name = fmt.Sprintf("/proc/self/fd/%d/%s", dir.Fd(), filepath.Base(path))
	if _, err := os.Stat(filepath.Dir(name)); err != nil {
		_ = dir.Close() // it was only looked at
		return "", nil, fmt.Errorf("the name of the socket %s is too long for this system (set ASSENT_HOME to a shorter one)", path)
	}
	return name, func() { _ = dir.Close() }, nil
}

// Stranger is the error for a process of another user at the other end of a socket.
type Stranger struct{ UID uint32 }

func (e *Stranger) Error() string {
	return fmt.Sprintf("the process at the other end of the socket is that of another user (uid %d)", e.UID)
}

// SameUser: the process at the other end of a socket is that of the user of this one.
// Where the system does not tell, the permissions of the socket and its directory decide.
func SameUser(fd int) error {
	uid, known, err := peer(fd)
	switch {
	case err != nil:
		return err
	case known && uid != uint32(os.Geteuid()):
		return &Stranger{uid}
	}
	return nil
}
