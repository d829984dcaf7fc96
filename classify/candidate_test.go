package classify_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/classify"
	"github.com/assent-dev/assent/permission"
)

// fake is a classifier that does what a test wants.
type fake func(ctx context.Context, q classify.Question) (classify.Verdict, error)

func (fake) Name() string { return "fake" }

func (f fake) Classify(ctx context.Context, q classify.Question) (classify.Verdict, error) {
	return f(ctx, q)
}

func says(v classify.Verdict) fake {
	return func(context.Context, classify.Question) (classify.Verdict, error) { return v, nil }
}

// race puts a question to a classifier and, if wanted, to a person.
func race(q classify.Question, c classify.Classifier, b *classify.Breaker, others ...permission.Candidate) permission.Resolution {
	candidates := append([]permission.Candidate{classify.Candidate(c, q, b)}, others...)
	return permission.Resolver{Candidates: candidates}.Resolve(context.Background(), permission.Question{Call: q.Call, Decision: q.Decision})
}

// TestP6_OnlyAnApprovalAllows: whatever else a classifier does, the call does not run.
func TestP6_OnlyAnApprovalAllows(t *testing.T) {
	w := newWorld(t, nil)
	q, _ := w.bash("frobnicate")
	for name, c := range map[string]struct {
		classifier fake
		winner     string
		want       permission.Behavior
		message    string
	}{
		"approves":   {says(classify.Verdict{Outcome: classify.Approve, Reasons: []string{"it is fine"}}), "fake", permission.Allow, "it is fine"},
		"refuses":    {says(classify.Verdict{Outcome: classify.Refuse, Reasons: []string{"one", "two"}}), "fake", permission.Deny, "fake refuses: one; two"},
		"no opinion": {says(classify.Verdict{}), "", permission.Deny, "nobody"},
		"nonsense":   {says(classify.Verdict{Outcome: 77}), "", permission.Deny, "nobody"},
		"error beside an approval": {func(context.Context, classify.Question) (classify.Verdict, error) {
			return classify.Verdict{Outcome: classify.Approve}, errors.New("no")
		}, "", permission.Deny, "nobody"},
		"panics": {func(context.Context, classify.Question) (classify.Verdict, error) { panic("broken") }, "", permission.Deny, "nobody"},
	} {
		r := race(q, c.classifier, nil)
		if r.Winner != c.winner || r.Answer.Behavior != c.want || !strings.Contains(r.Answer.Message, c.message) {
			t.Errorf("%s: %q won with %v %q", name, r.Winner, r.Answer.Behavior, r.Answer.Message)
		}
	}
}

// TestP6_ClassifierLimit: one that comes late, or does not heed the context, is no
// answer after two seconds.
func TestP6_ClassifierLimit(t *testing.T) {
	for name, classifier := range map[string]func(release chan struct{}) fake{
		"deaf": func(release chan struct{}) fake {
			return func(context.Context, classify.Question) (classify.Verdict, error) {
				<-release
				return classify.Verdict{Outcome: classify.Approve}, nil
			}
		},
		"approves when the time is over": func(chan struct{}) fake {
			return func(ctx context.Context, _ classify.Question) (classify.Verdict, error) {
				<-ctx.Done()
				return classify.Verdict{Outcome: classify.Approve}, nil
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, nil)
				q, _ := w.bash("frobnicate")
				release := make(chan struct{})
				start := time.Now()
				r := race(q, classifier(release), nil)
				if r.Winner != "" || r.Answer.Behavior != permission.Deny || time.Since(start) != permission.ClassifierLimit {
					t.Errorf("%q won with %v after %v", r.Winner, r.Answer.Behavior, time.Since(start))
				}
				close(release)
			})
		})
	}
}

// TestP9_NeedsPersonIsNeverClassified: also by a candidate that is asked all the same.
func TestP9_NeedsPersonIsNeverClassified(t *testing.T) {
	w := newWorld(t, nil)
	for _, command := range []string{"rm -rf ~", "touch .git/x"} {
		q, _ := w.bash(command)
		c := classify.Candidate(says(classify.Verdict{Outcome: classify.Approve}), q, nil)
		answer, err := c.Ask(context.Background(), permission.Question{Call: q.Call, Decision: q.Decision})
		if err == nil || answer.Behavior == permission.Allow {
			t.Errorf("%s: %v, %v", command, answer.Behavior, err)
		}
	}
}

// TestP9_BreakerAsksThePerson: two refusals stand; with the third the person is asked
// about the same call and told why, and the classifier is not asked again until the
// person has approved something.
func TestP9_BreakerAsksThePerson(t *testing.T) {
	w := newWorld(t, nil)
	q, _ := w.bash("frobnicate")
	var consulted, asked atomic.Int32
	refuses := fake(func(context.Context, classify.Question) (classify.Verdict, error) {
		consulted.Add(1)
		return classify.Verdict{Outcome: classify.Refuse, Reasons: []string{"strange"}}, nil
	})
	person := permission.Candidate{Name: "person", Trust: permission.TrustPerson, Ask: func(context.Context, permission.Question) (permission.Answer, error) {
		asked.Add(1)
		return permission.Answer{Behavior: permission.Allow}, nil
	}}
	var b classify.Breaker
	for n, want := range []struct {
		winner    string
		consulted int32
		says      string
	}{
		{"fake", 1, ""},
		{"fake", 2, ""},
		{"person", 3, "3 calls in a row, so you are asked instead; approve one to let it judge again (the last refusal: strange)"},
		{"person", 3, "3 calls in a row"},
	} {
		r := race(q, refuses, &b, person)
		if r.Winner != want.winner || consulted.Load() != want.consulted {
			t.Fatalf("call %d: %q won, the classifier was asked %d times", n+1, r.Winner, consulted.Load())
		}
		if want.says == "" {
			continue
		}
		var open *classify.OpenError
		if !errors.As(r.Losers[0].Err, &open) || !strings.Contains(open.Error(), want.says) {
			t.Errorf("call %d: the classifier's silence is %v", n+1, r.Losers[0].Err)
		}
	}
	b.Approved() // by the person
	if r := race(q, refuses, &b, person); r.Winner != "fake" || asked.Load() != 2 {
		t.Errorf("after an approval: %q won", r.Winner)
	}
}

// TestP9_BuiltinInTheRace: the whole way, from the engine's decision to the answer.
func TestP9_BuiltinInTheRace(t *testing.T) {
	w := newWorld(t, nil)
	for command, want := range map[string]permission.Behavior{"touch x": permission.Allow, "terraform destroy -auto-approve": permission.Deny} {
		q, _ := w.bash(command)
		q.Input = nil // the adapter fills it in
		if r := race(q, classify.Builtin{}, &classify.Breaker{}); r.Answer.Behavior != want || r.Trust != permission.TrustClassifier {
			t.Errorf("%s: %v %q", command, r.Answer.Behavior, r.Answer.Message)
		}
	}
}
