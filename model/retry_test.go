package model_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/model"
)

// failing fails with each error in turn and succeeds then.
type failing struct {
	errs  []error
	asked []time.Time
}

func (*failing) Name() string { return "failing" }

func (f *failing) Ask(ctx context.Context, _ model.Request, _ func(model.Event)) (model.Turn, error) {
	f.asked = append(f.asked, time.Now())
	if n := len(f.asked); n <= len(f.errs) {
		return model.Turn{}, f.errs[n-1]
	}
	return model.Turn{ID: "ok"}, nil
}

func (f *failing) waits() []time.Duration {
	var out []time.Duration
	for i := 1; i < len(f.asked); i++ {
		out = append(out, f.asked[i].Sub(f.asked[i-1]))
	}
	return out
}

func repeated(err error, n int) []error {
	var out []error
	for range n {
		out = append(out, err)
	}
	return out
}

const s = time.Second

func TestRetryWaitsLongerEachTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &failing{errs: repeated(model.Failed(529, "", "busy"), 8)}
		p := model.Retry(f, model.RetryOptions{Rand: func() float64 { return 0 }})
		var events []model.RetryEvent
		turn, err := p.Ask(t.Context(), model.Request{}, func(e model.Event) {
			if len(f.asked) != len(events)+1 {
				t.Error("told after the wait")
			}
			events = append(events, e.(model.RetryEvent))
		})
		if err != nil || turn.ID != "ok" {
			t.Fatalf("got %+v, %v", turn, err)
		}
		want := []time.Duration{s / 2, s, 2 * s, 4 * s, 8 * s, 16 * s, 30 * s, 30 * s}
		if got := f.waits(); !reflect.DeepEqual(got, want) {
			t.Errorf("waited %v, want %v", got, want)
		}
		for i, e := range events {
			if e.Attempt != i+1 || e.Max != model.DefaultRetries || e.Delay != want[i] || e.Err.Status != 529 {
				t.Errorf("event %d is %+v", i, e)
			}
		}
	})
}

func TestRetrySpreadsWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &failing{errs: repeated(model.Failed(500, "", ""), 2)}
		model.Retry(f, model.RetryOptions{Rand: func() float64 { return 0.99 }}).Ask(t.Context(), model.Request{}, nil)
		got := f.waits()
		if got[0] <= s/2 || got[0] > s*5/8 || got[1] <= s || got[1] > s*5/4 {
			t.Errorf("waited %v", got)
		}
	})
}

func TestRetryWaitsAsTheServerAsks(t *testing.T) {
	tests := []struct {
		asked int
		rand  float64
		want  time.Duration
	}{
		{3000, 0, 3 * s},
		{3000, 0.5, 3*s + s/8}, // later, never earlier
		{100, 0, s / 10},
		{3_600_000, 0.5, time.Minute},
	}
	for _, test := range tests {
		synctest.Test(t, func(t *testing.T) {
			limited := model.Failed(429, "", "slow down")
			limited.RetryAfter = test.asked
			f := &failing{errs: []error{limited}}
			model.Retry(f, model.RetryOptions{Rand: func() float64 { return test.rand }}).Ask(t.Context(), model.Request{}, nil)
			if got := f.waits(); len(got) != 1 || got[0] != test.want {
				t.Errorf("asked for %d ms: waited %v, want %v", test.asked, got, test.want)
			}
		})
	}
}

func TestRetryGivesUp(t *testing.T) {
	tests := []struct {
		name     string
		max      int
		attempts int
	}{{"by default", 0, 11}, {"after two", 2, 3}, {"at once", -1, 1}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &failing{errs: repeated(model.Failed(500, "", "MARK-broken"), 100)}
				_, err := model.Retry(f, model.RetryOptions{Max: test.max}).Ask(t.Context(), model.Request{}, nil)
				got, ok := errors.AsType[*model.Error](err)
				if !ok || got.Kind != model.ServerFault || !strings.Contains(got.Error(), "MARK-broken") || len(f.asked) != test.attempts {
					t.Errorf("got %v after %d attempts", err, len(f.asked))
				}
				if told := strings.Contains(got.Error(), "times"); told != (test.attempts > 1) {
					t.Errorf("says %q", got)
				}
			})
		})
	}
}

func TestRetryLeavesLastingErrors(t *testing.T) {
	for _, err := range []error{
		model.Failed(400, "", ""), model.Failed(401, "", ""), model.Failed(403, "", ""), model.Failed(404, "", ""),
		&model.Error{Kind: model.Nonsense}, errors.New("of another kind"),
	} {
		f := &failing{errs: repeated(err, 5)}
		on := func(e model.Event) { t.Errorf("%v: told of %+v", err, e) }
		if _, got := model.Retry(f, model.RetryOptions{}).Ask(t.Context(), model.Request{}, on); got != err || len(f.asked) != 1 {
			t.Errorf("%v: got %v after %d attempts", err, got, len(f.asked))
		}
	}
}

func TestRetryCanBeCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &failing{errs: repeated(&model.Error{Kind: model.Unreachable}, 100)}
		ctx, cancel := context.WithCancel(t.Context())
		begin := time.Now()
		_, err := model.Retry(f, model.RetryOptions{}).Ask(ctx, model.Request{}, func(model.Event) { cancel() })
		if !errors.Is(err, context.Canceled) || time.Since(begin) != 0 || len(f.asked) != 1 {
			t.Errorf("got %v after %v and %d attempts", err, time.Since(begin), len(f.asked))
		}
	})
}
