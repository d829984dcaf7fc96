package wire

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
)

const (
	nothingSaid   = `{"type":"user","message":{"role":"user","content":[{"type":"text","text":""}]}}`
	somethingSaid = `{"type":"user","message":{"role":"user","content":"x"}}`
	interrupts    = `{"type":"control_request","request_id":"i","request":{"subtype":"interrupt"}}`
	begins        = `{"type":"control_request","request_id":"b","request":{"subtype":"initialize"}}`
)

// opens is a host of a session in which calls wait. Initialize makes it ready.
func opens(t *testing.T, start Start) *talk {
	t.Helper()
	var k *talk
	k = newTalk(t, func(r Request) (any, error) {
		if r.Subtype == "interrupt" {
			_, stop := k.host.Interrupt(Kept)
			return Reply{Body: struct{}{}, Then: stop}, nil
		}
		k.host.StartAt(WhenReady)
		return Reply{Body: struct{}{}, Then: k.host.Ready}, nil
	}, start)
	return k
}

// Calls that wait are taken up once the host has said what it brings, with its first prompt,
// or when it says nothing for half a second. Nothing that ends the conversation, or stops the
// work, begins them.
func TestS45_WhenCallsThatWaitAreTakenUp(t *testing.T) {
	for name, tt := range map[string]struct {
		start Start
		says  []string
		leave bool // the input ends behind that
		want  PromptKind
		after time.Duration
		ended bool // the work has ended before it begins
		more  []PromptKind
	}{
		"silence":                        {start: InSilence, want: GoesOn, after: silence},
		"initialize":                     {start: InSilence, says: []string{begins}, want: GoesOn, after: breath},
		"an empty prompt":                {start: InSilence, says: []string{nothingSaid}, want: GoesOn},
		"initialize and empty prompt":    {start: InSilence, says: []string{begins, nothingSaid}, want: GoesOn},
		"a prompt":                       {start: InSilence, says: []string{somethingSaid}, want: Said},
		"initialize and a prompt":        {start: InSilence, says: []string{begins, somethingSaid}, want: Said},
		"empty prompt, then a prompt":    {start: InSilence, says: []string{nothingSaid, somethingSaid}, want: GoesOn, more: []PromptKind{Said}},
		"an interrupt":                   {start: InSilence, says: []string{interrupts}, want: GoesOn, ended: true},
		"initialize, interrupt":          {start: InSilence, says: []string{begins, interrupts}, want: GoesOn, ended: true},
		"interrupt, then a prompt":       {start: InSilence, says: []string{interrupts, somethingSaid}, want: GoesOn, ended: true, more: []PromptKind{Said}},
		"the end":                        {start: InSilence, leave: true, want: Left},
		"initialize and the end":         {start: InSilence, says: []string{begins}, leave: true, want: Left},
		"a prompt and the end":           {start: InSilence, says: []string{somethingSaid}, leave: true, want: Said},
		"asked for, and silence":         {start: WhenAsked, says: []string{nothingSaid}, want: GoesOn},
		"not asked for, and the end":     {start: WhenAsked, leave: true, want: Left},
		"only the model waits":           {start: AtTheEnd, leave: true, want: GoesOn},
		"only the model, and initialize": {start: AtTheEnd, says: []string{begins}, leave: true, want: GoesOn},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k := opens(t, tt.start)
				go func() {
					for _, line := range tt.says {
						k.say(line)
					}
					if tt.leave {
						k.in.Close()
					}
				}()
				k.swallow()
				synctest.Wait()
				began := time.Now()
				for i, want := range append([]PromptKind{tt.want}, tt.more...) {
					p, ok := k.host.Next(t.Context())
					work, done := k.host.Work(t.Context())
					if !ok || p.Kind != want || i == 0 && (time.Since(began) != tt.after || (work.Err() != nil) != tt.ended) {
						t.Errorf("%+v, %v after %v, ended: %v", p, ok, time.Since(began), work.Err())
					}
					done()
				}
				k.in.Close()
				if p, ok := k.host.Next(t.Context()); ok {
					t.Errorf("there is more to do: %+v", p)
				}
				k.over()
			})
		})
	}
}

// While the host says what it brings, nothing begins, however long that takes.
func TestS45_SilenceEndsWithInitialize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := opens(t, InSilence)
		defer k.over()
		k.swallow()
		k.host.StartAt(WhenReady)
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if p, ok := k.host.Next(ctx); ok {
			t.Errorf("%+v", p)
		}
	})
}

// An empty first prompt behind a take-up that has begun without it is no other work. The next
// one is, and without calls that wait it is a mistake.
func TestS45_AnEmptyPromptIsNoPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := opens(t, InSilence)
		k.swallow()
		if p, ok := k.host.Next(t.Context()); !ok || p.Kind != GoesOn {
			t.Fatalf("%+v, %v", p, ok)
		}
		k.say(nothingSaid)
		synctest.Wait()
		if n := k.host.Waiting(); n != 0 {
			t.Errorf("%d wait", n)
		}
		k.say(nothingSaid)
		synctest.Wait()
		if p, ok := k.host.Next(t.Context()); !ok || p.Kind != GoesOn {
			t.Errorf("%+v, %v", p, ok)
		}
		k.over()
	})
}

// After a take-up that has left calls waiting, an empty prompt asks for them once more, also as the
// first one: somebody may have answered.
func TestS45_AnEmptyPromptBehindTheResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := opens(t, InSilence)
		k.swallow()
		if p, ok := k.host.Next(t.Context()); !ok || p.Kind != GoesOn {
			t.Fatalf("%+v, %v", p, ok)
		}
		k.host.Leaves()
		k.say(nothingSaid)
		synctest.Wait()
		if n := k.host.Waiting(); n != 1 {
			t.Errorf("%d wait", n)
		}
		k.over()
	})
}

// Questions about the work that a host interrupts are withdrawn before it is answered; others
// stay open.
func TestS45_QuestionsAreWithdrawnBeforeTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := opens(t, InSilence)
		defer k.over()
		_, _ = k.host.Next(t.Context())
		work, done := k.host.Work(t.Context())
		defer done()
		other, leave := context.WithCancel(Apart(work))
		asks := func(ctx context.Context) <-chan error {
			said := make(chan error, 1)
			go func() {
				_, _, err := k.host.CanUseTool(ctx, CanUseTool{ToolName: "Bash", Input: strictjson.Raw(`{}`)})
				said <- err
			}()
			return said
		}
		first := asks(work)
		mine := k.hear().RequestID
		second := asks(other)
		theirs := k.hear().RequestID
		k.say(interrupts)
		if l := k.hear(); l.Type != "control_cancel_request" || l.RequestID != mine {
			t.Errorf("first %+v", l)
		}
		if l := k.hear(); l.Type != "control_response" {
			t.Errorf("then %+v", l)
		}
		if err := <-first; err == nil {
			t.Error("a question that was withdrawn has an answer")
		}
		leave()
		if l := k.hear(); l.Type != "control_cancel_request" || l.RequestID != theirs {
			t.Errorf("at last %+v", l)
		}
		<-second
	})
}
