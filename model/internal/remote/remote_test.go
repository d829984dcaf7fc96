package remote

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/model"
)

// answers is a transport that answers with a body.
type answers struct {
	status int
	body   func(*http.Request) io.Reader
	kind   string
}

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: a.status, Body: io.NopCloser(a.body(r)), Request: r, Header: http.Header{"Content-Type": {a.kind}}}, nil
}

func get(t *testing.T, a answers) (string, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", "http://model.test/", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := Client(&http.Client{Transport: a}).Do(r)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	var text strings.Builder
	_, err = io.Copy(&text, res.Body)
	return text.String(), err
}

func TestBodiesEnd(t *testing.T) {
	lines := func(n, size int) string { return strings.Repeat(strings.Repeat("x", size-1)+"\n", n) }
	const events = "text/event-stream"
	tests := []struct {
		name   string
		status int
		kind   string
		body   string
		want   int
		err    error
	}{
		{"small", 200, "", "abc", 3, nil},
		{"many lines", 200, "", lines(64, 1<<20), 64 << 20, nil},
		{"too many lines", 200, "", lines(65, 1<<20), 0, ErrTooLarge},
		{"a long line", 200, "", lines(1, maxLine), maxLine, nil},
		{"a line too long", 200, "", lines(1, maxLine+2), 0, ErrTooLarge},
		{"a long error", 500, "", lines(1, 1<<20), maxFault, nil},
		{"a long event", 200, events, lines(1, maxEvent), maxEvent, nil},
		{"an event too long", 200, events, lines(1, maxEvent+2), 0, ErrTooLarge},
		{"an event too long, of another spelling", 200, "Text/Event-Stream; charset=utf-8", lines(1, maxEvent+2), 0, ErrTooLarge},
		{"many events", 200, events, strings.Repeat(lines(1, 1<<20)+"\n", 60), 60<<20 + 60, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := get(t, answers{test.status, func(*http.Request) io.Reader { return strings.NewReader(test.body) }, test.kind})
			if !errors.Is(err, test.err) || err == nil && len(got) != test.want {
				t.Errorf("got %d bytes, %v", len(got), err)
			}
		})
	}
}

// slow sends one byte at a time with a pause before each, and nothing once the
// pauses are used up.
type slow struct {
	ctx    context.Context
	pauses []time.Duration
}

func (s *slow) Read(p []byte) (int, error) {
	if len(s.pauses) == 0 {
		<-s.ctx.Done()
		return 0, s.ctx.Err()
	}
	select {
	case <-s.ctx.Done():
		return 0, s.ctx.Err()
	case <-time.After(s.pauses[0]):
	}
	s.pauses = s.pauses[1:]
	p[0] = 'x'
	return 1, nil
}

func TestSilenceEndsAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		almost := Silence - time.Second
		got, err := get(t, answers{200, func(r *http.Request) io.Reader {
			return &slow{r.Context(), []time.Duration{almost, almost, almost}}
		}, ""})
		if got != "xxx" || !errors.Is(err, ErrSilent) {
			t.Errorf("got %q, %v", got, err)
		}
		if took := time.Since(begin); took != 3*almost+Silence {
			t.Errorf("took %v", took)
		}
		e, ok := errors.AsType[*model.Error](Explain(t.Context(), "model.test", err))
		if !ok || e.Outlook() != model.Passing || !strings.Contains(e.Text, "nothing for 10m") {
			t.Errorf("explained as %v", e)
		}
	})
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		ms, after string
		want      int
	}{
		{"", "", 0},
		{"", "3", 3000},
		{"", "0.5", 500},
		{"250", "9", 250},
		{"", "Thu, 01 Jan 2026 00:00:07 GMT", 7000},
		{"", "Wed, 31 Dec 2025 00:00:07 GMT", 0},
		{"", "-5", 0},
		{"", "1e300", 86_400_000},
		{"", "NaN", 0},
		{"", "soon", 0},
	}
	for _, test := range tests {
		h := http.Header{}
		h.Set("Retry-After-Ms", test.ms)
		h.Set("Retry-After", test.after)
		if got := RetryAfter(h, now); got != test.want {
			t.Errorf("%q, %q: %d, want %d", test.ms, test.after, got, test.want)
		}
	}
}

func TestHostHidesSecrets(t *testing.T) {
	for base, want := range map[string]string{
		"https://user:secret@model.test:8080/v1?key=secret": "model.test:8080",
		"nonsense": "the base URL",
		"://":      "the base URL",
	} {
		if got := Host(base); got != want {
			t.Errorf("%s: %q", base, got)
		}
	}
}
