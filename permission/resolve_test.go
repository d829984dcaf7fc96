package permission_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/permission"
)

// after answers once some time has passed, unless it is cancelled first.
func after(d time.Duration, answer permission.Answer, err error) func(context.Context, permission.Question) (permission.Answer, error) {
	return func(ctx context.Context, _ permission.Question) (permission.Answer, error) {
		select {
		case <-time.After(d):
			return answer, err
		case <-ctx.Done():
			return permission.Answer{}, ctx.Err()
		}
	}
}

var (
	yes       = permission.Answer{Behavior: permission.Allow}
	no        = permission.Answer{Behavior: permission.Deny, Message: "no"}
	nonsense  = permission.Answer{Behavior: permission.Defer}
	forever   = 24 * time.Hour
	classify  = permission.Question{Decision: permission.Decision{Behavior: permission.Ask, Classify: true}}
	plain     = permission.Question{Decision: permission.Decision{Behavior: permission.Ask}}
	immune    = permission.Question{Decision: permission.Decision{Behavior: permission.Ask, Classify: true, NeedsPerson: true}}
	errBroken = errors.New("broken")
)

func TestP6_Race(t *testing.T) {
	hook := func(d time.Duration, a permission.Answer, err error) permission.Candidate {
		return permission.Candidate{Name: "hook", Trust: permission.TrustHook, Ask: after(d, a, err)}
	}
	person := func(d time.Duration, a permission.Answer, err error) permission.Candidate {
		return permission.Candidate{Name: "person", Trust: permission.TrustPerson, Ask: after(d, a, err)}
	}
	classifier := func(d time.Duration, a permission.Answer, err error) permission.Candidate {
		return permission.Candidate{Name: "classifier", Trust: permission.TrustClassifier, Ask: after(d, a, err)}
	}
	const ms = time.Millisecond
	for _, tt := range []struct {
		name     string
		question permission.Question
		racers   []permission.Candidate
		want     permission.Behavior
		winner   string
		took     time.Duration
	}{
		{"the first wins", plain, []permission.Candidate{hook(50*ms, yes, nil), person(20*ms, no, nil)}, deny, "person", 20 * ms},
		{"in the same instant trust decides", plain, []permission.Candidate{person(20*ms, yes, nil), hook(20*ms, no, nil)}, deny, "hook", 20 * ms},
		{"no opinion is no answer", plain, []permission.Candidate{hook(10*ms, nonsense, nil), person(30*ms, yes, nil)}, allow, "person", 30 * ms},
		{"an error is no answer", plain, []permission.Candidate{hook(10*ms, yes, errBroken), person(30*ms, no, nil)}, deny, "person", 30 * ms},
		{"nobody answers", plain, []permission.Candidate{hook(10*ms, nonsense, nil)}, deny, "", 10 * ms},
		{"nobody is there", plain, nil, deny, "", 0},
		{"a quick classifier spares the person", classify, []permission.Candidate{person(0, no, nil), classifier(100*ms, yes, nil)}, allow, "classifier", 100 * ms},
		{"a slow one does not", classify, []permission.Candidate{person(10*ms, no, nil), classifier(time.Second, yes, nil)}, deny, "person", 160 * ms},
		{"a broken one is out of the way", classify, []permission.Candidate{person(10*ms, yes, nil), classifier(20*ms, yes, errBroken)}, allow, "person", 30 * ms},
		{"a classifier has two seconds", classify, []permission.Candidate{classifier(3*time.Second, yes, nil)}, deny, "", 2 * time.Second},
		{"no classifier outside auto", plain, []permission.Candidate{classifier(0, yes, nil)}, deny, "", 0},
		{"none for what needs a person", immune, []permission.Candidate{classifier(0, yes, nil), person(50*ms, no, nil)}, deny, "person", 50 * ms},
		{"a hook may not allow that either", immune, []permission.Candidate{hook(0, yes, nil), person(50*ms, yes, nil)}, allow, "person", 50 * ms},
		{"but it may deny it", immune, []permission.Candidate{hook(0, no, nil), person(50*ms, yes, nil)}, deny, "hook", 0},
		{"losers are cancelled", plain, []permission.Candidate{hook(forever, yes, nil), person(20*ms, yes, nil)}, allow, "person", 20 * ms},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // all goroutines must end, or it fails
				start := time.Now()
				got := permission.Resolver{Candidates: tt.racers}.Resolve(t.Context(), tt.question)
				took := time.Since(start).Round(10 * time.Millisecond) // the instant in which trust decides aside
				if got.Answer.Behavior != tt.want || got.Winner != tt.winner || took != tt.took {
					t.Errorf("%v by %q after %v, want %v by %q after %v", got.Answer.Behavior, got.Winner, took, tt.want, tt.winner, tt.took)
				}
				recorded := len(got.Losers)
				if got.Winner != "" {
					recorded++
				}
				if recorded != len(tt.racers) {
					t.Errorf("%d of %d on record", recorded, len(tt.racers))
				}
			})
		})
	}
}

func TestP6_CancelledRaceDenies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		got := permission.Resolver{Candidates: []permission.Candidate{{Name: "person", Trust: permission.TrustPerson, Ask: after(forever, yes, nil)}}}.Resolve(ctx, plain)
		if got.Answer.Behavior != deny || got.Winner != "" {
			t.Errorf("%+v", got)
		}
	})
}

// Many races with real goroutines: exactly one answer each, never a mixture.
func TestP6_RacesUnderLoad(t *testing.T) {
	for range 300 {
		var racers []permission.Candidate
		for i := range 6 {
			answer := yes
			if i%2 == 1 {
				answer = no
			}
			racers = append(racers, permission.Candidate{
				Name: string(rune('a' + i)), Trust: permission.TrustHook,
				Ask: func(context.Context, permission.Question) (permission.Answer, error) { return answer, nil },
			})
		}
		got := permission.Resolver{Candidates: racers}.Resolve(t.Context(), plain)
		wantAllow := (got.Winner[0]-'a')%2 == 0
		if (got.Answer.Behavior == allow) != wantAllow || len(got.Losers) != len(racers)-1 {
			t.Fatalf("winner %s, answer %v, %d others", got.Winner, got.Answer.Behavior, len(got.Losers))
		}
	}
}

// TestP6_BrokenCandidates: one that panics, and several classifiers that all fail, are
// no answers and take nobody along.
func TestP6_BrokenCandidates(t *testing.T) {
	panics := func(trust permission.Trust) permission.Candidate {
		return permission.Candidate{Name: "broken one", Trust: trust, Ask: func(context.Context, permission.Question) (permission.Answer, error) { panic("out of order") }}
	}
	fails := permission.Candidate{Name: "classifier", Trust: permission.TrustClassifier, Ask: after(time.Millisecond, yes, errBroken)}
	person := permission.Candidate{Name: "person", Trust: permission.TrustPerson, Ask: after(time.Millisecond, yes, nil)}
	for name, c := range map[string]struct {
		racers []permission.Candidate
		winner string
		took   time.Duration
	}{
		"a host panics":             {[]permission.Candidate{panics(permission.TrustPerson)}, "", 0},
		"a hook panics":             {[]permission.Candidate{panics(permission.TrustHook), person}, "person", time.Millisecond},
		"nothing to ask":            {[]permission.Candidate{{Name: "broken one", Trust: permission.TrustPerson}}, "", 0},
		"two classifiers fail":      {[]permission.Candidate{fails, fails, person}, "person", 2 * time.Millisecond},
		"classifiers panic":         {[]permission.Candidate{panics(permission.TrustClassifier), panics(permission.TrustClassifier), person}, "person", time.Millisecond},
		"one of them has an answer": {[]permission.Candidate{fails, {Name: "other", Trust: permission.TrustClassifier, Ask: after(20*time.Millisecond, no, nil)}, person}, "other", 20 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				r := permission.Resolver{Candidates: c.racers}.Resolve(context.Background(), classify)
				if r.Winner != c.winner || r.Winner == "" && r.Answer.Behavior != deny || time.Since(start) < c.took || time.Since(start) > c.took+time.Millisecond {
					t.Errorf("%q won with %v after %v", r.Winner, r.Answer.Behavior, time.Since(start))
				}
				for _, l := range r.Losers {
					if l.Name == "broken one" && (l.Err == nil || !strings.Contains(l.Err.Error(), "broken one broke")) {
						t.Errorf("the record says %v", l.Err)
					}
				}
			})
		})
	}
}
