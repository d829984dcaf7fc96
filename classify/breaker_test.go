package classify_test

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/assent-dev/assent/classify"
	"github.com/assent-dev/assent/internal/strictjson"
)

// TestP9_BreakerCounts compares a breaker with the sentence that describes it: open
// from the third refusal in a row or the twentieth in all. Saving and restoring it at
// any moment changes nothing.
func TestP9_BreakerCounts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		b := new(classify.Breaker)
		row, all := 0, 0
		for range 60 {
			if random.IntN(100) < 55 {
				row, all = row+1, all+1
				b.Refused()
			} else {
				row = 0
				b.Approved()
			}
			want := classify.Closed
			if row >= 3 {
				want = classify.TooManyInARow
			}
			if all >= 20 {
				want = classify.TooManyInAll
			}
			if b.Opening() != want || b.Counts() != (classify.Counts{InARow: row, InAll: all}) {
				t.Fatalf("after %d in a row and %d in all: %v, %v", row, all, b.Opening(), b.Counts())
			}
			if random.IntN(5) == 0 {
				b = saved(t, b)
			}
		}
	}
}

func saved(t *testing.T, b *classify.Breaker) *classify.Breaker {
	t.Helper()
	data, err := strictjson.Marshal(b.Counts())
	if err != nil {
		t.Fatal(err)
	}
	var c classify.Counts
	if err := strictjson.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	return classify.Restore(c)
}

// TestP9_BreakerConcurrent: every refusal is counted once.
func TestP9_BreakerConcurrent(t *testing.T) {
	b := new(classify.Breaker)
	var wait sync.WaitGroup
	for range 100 {
		wait.Go(func() {
			for range 100 {
				b.Refused()
				b.Opening()
				b.Approved()
			}
		})
	}
	wait.Wait()
	if c := b.Counts(); c.InAll != 10000 || c.InARow != 0 {
		t.Errorf("%+v", c)
	}
}

func TestP9_BreakerRestoresNonsense(t *testing.T) {
	for _, c := range []classify.Counts{{InARow: -5, InAll: -7}, {InARow: 2, InAll: 0}, {InARow: 50, InAll: 1}} {
		b := classify.Restore(c)
		if got := b.Counts(); got.InARow < 0 || got.InAll < got.InARow {
			t.Errorf("%+v became %+v", c, got)
		}
	}
}

func TestP9_BreakerSaysSo(t *testing.T) {
	b := classify.Restore(classify.Counts{InARow: 1, InAll: 19})
	if opening := b.Refused(); opening != classify.TooManyInAll {
		t.Errorf("the twentieth refusal: %v", opening)
	}
	text := (&classify.OpenError{Opening: b.Opening(), Counts: b.Counts()}).Error()
	if !strings.Contains(text, "refused 20 calls in this session, so you are asked from now on") {
		t.Error(text)
	}
	b.Approved()
	if b.Opening() != classify.TooManyInAll {
		t.Error("an approval makes the session's refusals forgotten")
	}
}
