package launch

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/settings"
)

// The one who begins a session is on record, and stays it when others go on; a fork is that
// of who makes it.
func TestA4_TheRequesterIsWhoBeganTheSession(t *testing.T) {
	o := options(t)
	sessions := session.NewStore(filepath.Join(o.Settings.Home, ".assent", "sessions"))
	open := func(id, resume, who string, fork bool) {
		t.Helper()
		next := o
		next.ID, next.Resume, next.Requester, next.Fork = id, resume, who, fork
		s := mustOpen(t, next)
		if err := s.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	first, second := session.NewID(), session.NewID()
	open(first, "", "ann@desk", false)
	open("", first, "ben@server", false)
	open(second, first, "ben@server", true)
	for id, want := range map[string]string{first: "ann@desk", second: "ben@server"} {
		if c, err := sessions.Load(id); err != nil || c.Start.Requester != want {
			t.Errorf("%q, %v; want %q", c.Start.Requester, err, want)
		}
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
