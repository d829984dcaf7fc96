package launch

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/settings"
)

// Whoever begins a session is on record, and so is everybody who may say something in it later.
// Whoever only takes up what was answered is not, unless he gives it instructions of his own.
// T1: nobody takes another one out, whatever he does.
func TestT1_TheRequestersAreAllWhoSpeak(t *testing.T) {
	o := options(t)
	o.Requester = "ann@desk"
	o.ID = owing(t, o)
	sessions := session.NewStore(filepath.Join(o.Settings.Home, ".assent", "sessions"))
	for _, c := range []struct {
		name string
		how  func(*Options)
		want string
	}{
		{"a worker", func(o *Options) {
			o.Requester, o.OnlyPending, o.Unattended, o.Append = "worker@ci", true, true, "Be brief."
		}, "ann@desk"},
		{"without a prompt", func(o *Options) { o.Requester, o.OnlyPending = "cleo@laptop", true }, "ann@desk"},
		{"the same one", func(o *Options) {}, "ann@desk"},
		{"somebody of whom nothing is known", func(o *Options) { o.Requester = "" }, "ann@desk"},
		{"with a prompt", func(o *Options) { o.Requester = "ben@server" }, "ann@desk, ben@server"},
		{"the first one again", func(o *Options) {}, "ann@desk, ben@server"},
		{"the last of the directory", func(o *Options) { o.Resume, o.Last, o.Requester = "", true, "dan@vm" }, "ann@desk, ben@server, dan@vm"},
		{"with instructions", func(o *Options) { o.Requester, o.OnlyPending, o.Append = "eve@vm", true, "Deploy it." }, "ann@desk, ben@server, dan@vm, eve@vm"},
		{"a fork", func(o *Options) { o.ID, o.Fork, o.Requester = session.NewID(), true, "fay@vm" }, "ann@desk, ben@server, dan@vm, eve@vm, fay@vm"},
		{"a fork without a prompt", func(o *Options) { o.ID, o.Fork, o.Requester, o.OnlyPending = session.NewID(), true, "gil@vm", true }, "ann@desk, ben@server, dan@vm, eve@vm, gil@vm"},
	} {
		next := o
		next.ID, next.Resume = "", o.ID
		c.how(&next)
		s := mustOpen(t, next)
		if err := s.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		if got, err := sessions.Load(s.ID); err != nil || got.Start.Requester != c.want {
			t.Errorf("%s: %q, %v; want %q", c.name, got.Start.Requester, err, c.want)
		}
	}
}

// owing makes a session whose process died before the model had answered, so that there is
// always something to go on with, and returns its id.
func owing(t *testing.T, o Options) string {
	t.Helper()
	o.ID = session.NewID()
	s := mustOpen(t, o)
	if err := s.transcript.Append(session.Said, model.Message{Role: model.User, Content: []model.Block{{Kind: model.Text, Text: "hello"}}}); err != nil {
		t.Fatal(err)
	}
	mustClose(t, s)
	return s.ID
}

// A name that could be those of two people is none.
func TestA4_ARequesterIsOne(t *testing.T) {
	o := options(t)
	o.Requester = "ann@desk, ben@server"
	if s, err := Open(o); err == nil || !strings.Contains(err.Error(), "a comma stands between two accounts") {
		t.Errorf("%v, %v", s, err)
	}
}

// What settings ask for is what the agent asks for.
func TestA4_TheTermsOfSettings(t *testing.T) {
	o := options(t)
	o.Settings.Flag = `{"assent": {"approvals": {"high": {"approvers": 2, "expires": "4h"}}}}`
	loaded, err := settings.Load(o.Settings)
	if err != nil {
		t.Fatal(err)
	}
	for risk, want := range map[permission.Risk]int{0: 2, permission.HighRisk: 2, permission.LowRisk: 0} {
		needs, expires := terms(loaded).Approvals(risk)
		if needs.Approvers != want || (expires == 4*time.Hour) != (want == 2) {
			t.Errorf("%v: %+v, %v", risk, needs, expires)
		}
	}
}
