package notify

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// manners are how a mail server behaves.
type manners struct {
	implicit bool              // TLS from the beginning
	hides    string            // an extension that is not offered
	replies  map[string]string // in place of the usual ones, by the words of the client they answer
}

// mailServer is as much of SMTP as a client needs that sends one mail.
type mailServer struct {
	manners
	port        string
	connections atomic.Int64
	roots       *x509.CertPool
	config      *tls.Config

	mu    sync.Mutex
	lines []string // what the client said, each line with "TLS " before it where that was so
	mails []string
}

func newMailServer(t *testing.T, m manners) *mailServer {
	t.Helper()
	s := &mailServer{manners: m}
	certificate := httptest.NewTLSServer(nil) // for example.com and 127.0.0.1
	t.Cleanup(certificate.Close)
	s.config = &tls.Config{Certificates: certificate.TLS.Certificates}
	s.roots = x509.NewCertPool()
	s.roots.AddCert(certificate.Certificate())
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, s.port, _ = net.SplitHostPort(listener.Addr().String())
	var all sync.WaitGroup
	all.Go(func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			s.connections.Add(1)
			all.Go(func() { s.serve(connection) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		all.Wait()
	})
	return s
}

// serve is one conversation.
func (s *mailServer) serve(connection net.Conn) {
	defer func() { _ = connection.Close() }()
	mark := ""
	if s.implicit {
		connection, mark = tls.Server(connection, s.config), "TLS "
	}
	in := bufio.NewReader(connection)
	say := func(words, usual string) bool {
		if other, ok := s.replies[words]; ok {
			usual = other
		}
		_, err := io.WriteString(connection, usual+"\r\n")
		return err == nil && !strings.HasPrefix(usual, "221") && !strings.HasPrefix(usual, "421")
	}
	for going := say("", "220 here"); going; {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimRight(line, "\r\n")
		s.mu.Lock()
		s.lines = append(s.lines, mark+line)
		s.mu.Unlock()
		verb, _, _ := strings.Cut(line, " ")
		switch verb {
		case "EHLO":
			going = say(verb, s.extensions(mark != ""))
		case "STARTTLS":
			going = say(verb, "220 go on")
			secure := tls.Server(connection, s.config)
			connection, in, mark = secure, bufio.NewReader(secure), "TLS "
		case "AUTH":
			going = say(verb, "235 welcome")
		case "RCPT":
			going = say(line, "250 ok")
		case "DATA":
			going = say(verb, "354 go on")
			if _, refused := s.replies[verb]; going && !refused {
				s.take(in)
				going = say(".", "250 taken")
			}
		case "QUIT":
			going = say(verb, "221 bye")
		default:
			going = say(verb, "250 ok")
		}
	}
}

func (s *mailServer) extensions(secure bool) string {
	all := "250-here"
	for _, name := range []string{"STARTTLS", "AUTH PLAIN"} {
		if name != s.hides && (name != "STARTTLS" || !secure) {
			all += "\r\n250-" + name
		}
	}
	return all + "\r\n250 8BITMIME"
}

// take reads a mail up to the dot.
func (s *mailServer) take(in *bufio.Reader) {
	var mail strings.Builder
	for {
		line, err := in.ReadString('\n')
		if err != nil || line == ".\r\n" {
			break
		}
		mail.WriteString(strings.TrimPrefix(line, "."))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mails = append(s.mails, mail.String())
}

// said are the lines of the client.
func (s *mailServer) said() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.lines, "\n")
}

func (s *mailServer) received() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.mails...)
}

// target is one for the server.
func (s *mailServer) target(t *testing.T, more string) Target {
	t.Helper()
	return parsed(t, fmt.Sprintf(`{"name": "m", "type": "email", "server": "127.0.0.1:%s", "private": true, "from": "assent <bot@example.com>", "to": ["Zoë <zoe@example.com>", "ops@example.com"]%s}`, s.port, more))
}
