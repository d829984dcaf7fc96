package modeltest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Server plays replies, one for each request; the last one repeats.
type Server struct {
	URL string
	// Client reaches the server. Its connections are closed at the end of the test.
	Client *http.Client
	// Asked gets a value for each request that has arrived, as far as there is room.
	Asked chan struct{}
	// Sent is how many bytes of answers have been written.
	Sent atomic.Int64

	mu       sync.Mutex
	replies  []Reply
	requests []Request
	redirect string
	stop     func()
}

// Request is what the server was sent.
type Request struct {
	Path   string
	Header http.Header
	Body   []byte
}

// protocol writes replies in the language of one API.
type protocol interface {
	fault(r Reply) (body string)
	stream(w *writer, r Reply)
}

func serve(t testing.TB, p protocol, replies []Reply) *Server {
	t.Helper()
	s := &Server{replies: replies, Asked: make(chan struct{}, 1000)}
	h := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.answer(w, r, p) }))
	h.Start()
	transport := &http.Transport{}
	s.URL, s.Client = h.URL, &http.Client{Transport: transport}
	s.stop = sync.OnceFunc(func() {
		transport.CloseIdleConnections()
		h.CloseClientConnections()
		h.Close()
	})
	t.Cleanup(s.stop)
	return s
}

// Close stops the server before the end of the test.
func (s *Server) Close() { s.stop() }

// Requests are those that have arrived.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Redirect makes the server send everybody elsewhere.
func (s *Server) Redirect(address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.redirect = address
}

func (s *Server) next(r *http.Request, body []byte) Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, Request{r.URL.Path, r.Header.Clone(), body})
	reply := s.replies[0]
	if len(s.replies) > 1 {
		s.replies = s.replies[1:]
	}
	return reply
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, p protocol) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	reply := s.next(r, body)
	if s.redirect != "" {
		http.Redirect(w, r, s.redirect, http.StatusTemporaryRedirect)
		return
	}
	select {
	case s.Asked <- struct{}{}:
	default:
	}
	if reply.Status != 0 {
		w.Header().Set("Content-Type", "application/json")
		if reply.RetryAfter != "" {
			w.Header().Set("Retry-After", reply.RetryAfter)
		}
		w.WriteHeader(reply.Status)
		io.WriteString(w, p.fault(reply))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	out := &writer{out: w, request: r, sent: &s.Sent}
	if reply.Raw != "" {
		out.write(reply.Raw)
		return
	}
	p.stream(out, reply)
}

// writer writes events and notices when nobody reads them any more.
type writer struct {
	out     http.ResponseWriter
	request *http.Request
	sent    *atomic.Int64
	err     error
}

func (w *writer) write(text string) {
	if w.err != nil {
		return
	}
	var n int
	n, w.err = io.WriteString(w.out, text)
	w.sent.Add(int64(n))
}

func (w *writer) flush() { w.out.(http.Flusher).Flush() }

// end does what the ending asks for and reports whether the stream goes on to its
// proper end.
func (w *writer) end(e Ending) bool {
	switch e {
	case Cut:
		w.flush()
		panic(http.ErrAbortHandler)
	case Hang:
		w.flush()
		<-w.request.Context().Done()
		return false
	case Complete, Overloaded:
	}
	return e == Complete
}

// endlessly writes until the client hangs up. A client that takes everything is
// stopped after a while, or a test would never end.
func (w *writer) endlessly(text func(i int) string) {
	const enough = 512 << 20
	for i := 0; w.err == nil && w.sent.Load() < enough; i++ {
		w.write(text(i))
	}
}

func quote(text string) string {
	out, err := strictjson.Marshal(text)
	if err != nil {
		panic(fmt.Sprintf("%q: %v", text, err))
	}
	return string(out)
}
