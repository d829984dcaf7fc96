package room

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
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

// from is a connection of an address.
type from struct {
	net.Conn
	address string
}

func (f from) RemoteAddr() net.Addr { return f }
func (from) Network() string        { return "tcp" }
func (f from) String() string       { return f.address + ":1" }

func (p *pipes) dial(address string) net.Conn {
	here, there := net.Pipe()
	p.conns <- from{there, address}
	synctest.Wait()
	return here
}

// served is a server with little room. A request says by its path whose it is, and lasts until the
// test ends if that is asked for.
func served(t *testing.T, c *Connections) *pipes {
	t.Helper()
	p := &pipes{make(chan net.Conn), make(chan struct{})}
	web := &http.Server{ReadHeaderTimeout: time.Hour, Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if who := r.FormValue("who"); who != "" {
			Known(r.Context(), who)
		}
		if r.URL.Path == "/long" {
			select {
			case <-p.done:
			case <-r.Context().Done():
			}
		}
	})}
	c.Limit(web)
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(p) }()
	t.Cleanup(func() {
		close(p.done)
		web.Close()
		<-ended
	})
	return p
}

// send begins a request, whose answer nobody waits for.
func send(conn net.Conn, path string) {
	go func() { _, _ = io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: h\r\n\r\n") }()
	synctest.Wait()
}

func ask(conn net.Conn, path string) error {
	_ = conn.SetReadDeadline(time.Time{})
	send(conn, path)
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err == nil {
		answer.Body.Close()
	}
	synctest.Wait()
	return err
}

// gone: the server has closed the connection.
func gone(conn net.Conn) bool {
	_ = conn.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err := io.Copy(io.Discard, conn)
	return err == nil
}

// However many come: there is an end to it, and the silent ones make room, the oldest first.
func TestT16_TooManyConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		closed := map[Kind]int{}
		c := NewConnections(4, 3)
		c.Log, c.Closed = slog.New(slog.NewTextHandler(&log, nil)), func(kind Kind) { closed[kind]++ }
		p := served(t, c)
		const stranger, other = "192.0.2.1", "192.0.2.2"

		elsewhere := p.dial(other) // which has been silent for the longest, and is alone
		idle := p.dial(stranger)
		if err := ask(idle, "/"); err != nil {
			t.Fatal(err)
		}
		working := p.dial(other)
		send(working, "/long?who=ana")
		var silent []net.Conn
		for range 6 {
			silent = append(silent, p.dial(stranger))
		}
		if gone(elsewhere) || gone(working) {
			t.Error("one address has taken the room of others")
		}
		for i, conn := range append([]net.Conn{idle}, silent...) {
			if want := i < 4; gone(conn) != want { // three fit
				t.Errorf("the connection %d is closed: %v, want %v", i, !want, want)
			}
		}
		if err := ask(silent[5], "/"); err != nil {
			t.Error(err)
		}
		if said := log.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, "level=WARN") || !strings.Contains(said, "kind=silent most=4 last="+stranger+" closed=1") {
			t.Errorf("the log says: %s", said) // and not once for each of them
		}

		var all []net.Conn
		for range 5 { // of one person: each is known when it has asked
			conn := p.dial(other)
			send(conn, "/long?who=eve")
			all = append(all, conn)
		}
		if gone(working) || !gone(all[0]) || !gone(all[2]) || gone(all[3]) || gone(all[4]) {
			t.Error("one person has taken the room of others")
		}
		if closed[Silent] != 5 || closed[Requests] != 3 {
			t.Errorf("closed: %v", closed)
		}
		if said := log.String(); strings.Count(said, "\n") != 2 || !strings.Contains(said, "kind=requests most=3 last=eve closed=1") {
			t.Errorf("the log says: %s", said)
		}
		for _, conn := range append(append(silent, all...), elsewhere, idle, working) {
			conn.Close()
		}
		synctest.Wait()
		if c.silent.taken != 0 || c.busy.taken != 0 || len(c.open) != 0 {
			t.Errorf("%d, %d and %d are left", c.silent.taken, c.busy.taken, len(c.open))
		}
	})
}

// A request is over, and its connection is one that waits for the next.
func TestAConnectionIsOfAPersonAsLongAsTheRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewConnections(4, 4)
		p := served(t, c)
		conn := p.dial("192.0.2.1")
		for range 3 {
			if err := ask(conn, "/?who=ana"); err != nil {
				t.Fatal(err)
			}
			if c.silent.taken != 1 || c.busy.taken != 0 {
				t.Errorf("%d, %d", c.silent.taken, c.busy.taken)
			}
		}
		send(conn, "/long?who=ana")
		if c.silent.taken != 0 || c.busy.taken != 1 {
			t.Errorf("%d, %d", c.silent.taken, c.busy.taken)
		}
		conn.Close()
	})
}

// A client of TLS that does not read holds up nobody when it has to go.
func TestT16_AClientThatDoesNotReadIsCut(t *testing.T) {
	web := httptest.NewUnstartedServer(nil)
	web.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		Known(r.Context(), "eve")
		much := make([]byte, 1<<20)
		for r.URL.Path == "/much" {
			if _, err := w.Write(much); err != nil {
				return
			}
		}
	})
	NewConnections(8, 1).Limit(web.Config)
	web.StartTLS()
	defer web.Close()
	client := web.Client().Transport.(*http.Transport).TLSClientConfig
	for range 3 {
		conn, err := tls.Dial("tcp", web.Listener.Addr().String(), client)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, "GET /much HTTP/1.1\r\nHost: h\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
	}
	begun := time.Now()
	resp, err := web.Client().Get(web.URL)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if took := time.Since(begun); resp.ProtoMajor != 1 || took > 4*time.Second {
		t.Errorf("%s after %v", resp.Proto, took)
	}
}
