package inbox

import (
	"bytes"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener whose connections are in memory.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }

func (p *pipes) dial() net.Conn {
	here, there := net.Pipe()
	p.conns <- there
	return here
}

// served is a server that sends much to everybody.
func served(t *testing.T, log slog.Handler) *pipes {
	much := bytes.Repeat([]byte("x"), 1<<20)
	s := &Server{Config: Config{Log: slog.New(log)}, handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/much" {
			_, _ = w.Write(much)
		}
	})}
	p := &pipes{make(chan net.Conn), make(chan struct{})}
	web := s.HTTP()
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(p) }()
	t.Cleanup(func() {
		close(p.done)
		web.Close()
		<-ended
	})
	return p
}

// gone: the other side has closed the connection.
func gone(conn net.Conn) bool {
	_ = conn.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err := io.Copy(io.Discard, conn)
	return err == nil
}

// Whoever asks and does not read is sent away after a while.
func TestT16_NobodyHoldsAConnectionForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn := served(t, slog.DiscardHandler).dial()
		go func() { _, _ = io.WriteString(conn, strings.Repeat("GET /much HTTP/1.1\r\nHost: h\r\n\r\n", 9)) }()
		time.Sleep(time.Minute)
		if !gone(conn) {
			t.Error("it is still there")
		}
		conn.Close()
	})
}
