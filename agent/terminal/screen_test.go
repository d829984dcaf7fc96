package terminal

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/settings"
)

// screen is a terminal without a keyboard: the lines that a person would type are known
// from the start. hold stands for somebody who does not type.
type screen struct {
	mu      sync.Mutex
	shown   strings.Builder
	columns int
	typed   []string
	// freshened is how often what was typed before was thrown away.
	freshened int
	// holding is told when nobody types.
	holding chan struct{}
	// later is what is typed in the end.
	later chan []string
}

const hold = "\x00"

// in is a session in dir, of the user whose home directory it is.
func in(dir, home string) settings.Options { return settings.Options{Dir: dir, Home: home} }

func newScreen(columns int, typed ...string) *screen {
	return &screen{columns: columns, typed: typed, holding: make(chan struct{}, 10), later: make(chan []string)}
}

func (s *screen) Write(data []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown.Write(data)
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown.String()
}

func (s *screen) fresh(ctx context.Context) error {
	s.freshened++
	return ctx.Err()
}

func (s *screen) line(ctx context.Context) (string, error) {
	if len(s.typed) == 0 {
		return "", io.EOF
	}
	if s.typed[0] == hold {
		s.holding <- struct{}{}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case s.typed = <-s.later:
		}
	}
	line := s.typed[0]
	s.typed = s.typed[1:]
	_, _ = s.Write([]byte(line + "\n"))
	return line, nil
}

// types ends a hold.
func (s *screen) types(lines ...string) { s.later <- lines }

func (s *screen) resize(columns int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.columns = columns
}

func (s *screen) width() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.columns
}

func (*screen) close() error { return nil }

// ask puts a question to a person who types these lines.
func ask(t *testing.T, q agent.Question, typed ...string) (permission.Answer, *screen, error) {
	t.Helper()
	s := newScreen(72, typed...)
	answer, err := newTerminal(s, false).Asker(in("/proj", "/home/dev")).Ask(t.Context(), q)
	return answer, s, err
}
