package depot

import (
	"errors"
	"io/fs"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/session"
)

// waits adds to a session until a call waits in it.
func (h host) waits(tr *session.Transcript, call string) {
	h.Helper()
	use := model.Block{Kind: model.ToolUse, ID: call, Name: "Bash", Input: []byte(`{"command":"make  x"}`)}
	h.must(errors.Join(
		tr.Append(session.Said, model.Message{Role: model.User, Content: []model.Block{model.TextBlock("Build it.\nNow.")}}),
		tr.Append(session.Said, model.Message{Role: model.Assistant, Content: []model.Block{use}}),
		tr.Append(session.Parked, session.Pending{Calls: []session.PendingCall{{ToolUseID: call, Tool: "Bash", Input: use.Input, Cwd: "/project", Since: time.Now().Truncate(time.Microsecond)}}})))
}

// inDepot are those that are sought.
func (h host) sought(sought session.Sought) []session.Stored {
	h.Helper()
	all, err := h.Depot.List(sought)
	h.must(err)
	return all
}

// same: the database says of the session what its transcript does.
func (h host) same(after string) {
	h.Helper()
	stored, err := h.Depot.Find(id)
	h.must(err)
	if stored.Outline == nil {
		h.Errorf("after %s: it has no outline", after)
		return
	}
	got, err := h.Standing(id)
	h.must(err)
	alone := session.NewStore(h.dir)
	h.must(os.Rename(h.dir+"/"+id+"/copy", h.dir+"/"+id+"/mark")) // which is nothing to anybody
	defer func() { h.must(os.Rename(h.dir+"/"+id+"/mark", h.dir+"/"+id+"/copy")) }()
	want, err := alone.Standing(id)
	h.must(err)
	for _, s := range []*session.Standing{&got, &want} { // the same moment, as it is written
		for i, call := range s.Calls {
			s.Calls[i].Since = call.Since.UTC()
		}
	}
	if !reflect.DeepEqual(got, want) && (len(got.Calls)+len(want.Calls) > 0 || !reflect.DeepEqual(got.Start, want.Start)) {
		h.Errorf("after %s: %+v\nwant %+v", after, got, want)
	}
	if now, _ := alone.Left(id); now.Cut != must(h.Left(id)).Cut || !reflect.DeepEqual(now.Owed, must(h.Left(id)).Owed) && len(now.Owed) > 0 {
		h.Errorf("after %s: %+v", after, now)
	}
}

func must[T any](t T, err error) T {
	if err != nil {
		panic(err)
	}
	return t
}

// The database says at every moment how a session stands, without its transcript, and what waits is one
// question.
func TestD8_TheDatabaseSaysHowASessionStands(t *testing.T) {
	onBoth(t, func(w world) {
		here, there := w.host("here"), w.host("there")
		tr := here.create()
		here.same("its start")
		here.waits(tr, "toolu_1")
		here.same("a call was parked")
		if all := there.sought(session.Sought{Only: session.WithCalls}); len(all) != 1 || all[0].ID != id {
			w.Errorf("%+v", all)
		}
		if all := there.sought(session.Sought{Only: session.ToRecheck}); len(all) != 0 {
			w.Errorf("whoever has it makes its tickets: %+v", all)
		}
		w.must(tr.Append(session.Began, session.Beginning{ToolUseID: "toolu_1", Input: []byte(`{}`)}))
		here.same("it was begun")
		w.must(tr.Append(session.Found, session.Finding{ToolUseID: "toolu_1", Ran: true, By: "ann"}))
		here.same("it was found out")
		w.must(tr.Close())
		noted := there.sought(session.Sought{Only: session.ToRecheck, Outlines: true})
		if len(noted) != 1 || noted[0].Noted == 0 {
			w.Fatalf("%+v", noted)
		}
		w.must(there.Depot.Rechecked(noted))
		if all := there.sought(session.Sought{Only: session.ToRecheck}); len(all) != 0 {
			w.Errorf("it was rechecked: %+v", all)
		}
		tr, err := here.Resume(id)
		w.must(err)
		w.must(tr.Append(session.Said, model.Message{Role: model.User, Content: []model.Block{{Kind: model.ToolResult, ToolUseID: "toolu_1", Result: []model.Block{model.TextBlock("ok")}}}}))
		here.same("the model was told")
		if left := must(there.Left(id)); !left.Cut || len(left.Owed) != 1 {
			w.Errorf("%+v", left)
		}
		w.must(there.Depot.Rechecked(noted)) // as it was before
		w.must(tr.Append(session.Ended, map[string]string{"subtype": "success"}))
		here.same("the end")
		w.must(tr.Close())
		if all := there.sought(session.Sought{Only: session.WithCalls}); len(all) != 0 {
			w.Errorf("nothing waits: %+v", all)
		}
		if sum, _ := there.Summary(id); sum.State != session.Done || sum.Prompt != "Build it." || sum.Cwd != "/project" || sum.Started.IsZero() || sum.Last.IsZero() || len(sum.Labels) != 1 {
			w.Errorf("%+v", sum)
		}
		if left, err := os.ReadDir(there.dir); len(left) != 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
			w.Errorf("something of it is here: %v, %v", left, err)
		}
	})
}

// Sessions of an earlier version have no outline, and one that still runs leaves what it adds out of it. They
// are read once.
func TestD8_OlderSessionsGetAnOutline(t *testing.T) {
	onBoth(t, func(w world) {
		here, there := w.host("here"), w.host("there")
		tr := here.create()
		here.waits(tr, "toolu_1")
		w.must(tr.Close())
		for what, statement := range map[string]string{
			"an older one":            "UPDATE depot_sessions SET outlined = outlined - 1",
			"one that has never been": "DELETE FROM depot_outlines",
		} {
			here.do("UPDATE depot_outlines SET data = $1, waits = 0, noted = 0", []byte(`{"start":{"session":"other"}}`))
			here.do(statement)
			here.do("UPDATE depot_sessions SET outlined = 0")
			if stand, err := there.Standing(id); err != nil || len(stand.Calls) != 1 || stand.Start.Session != id {
				w.Errorf("%s: %+v, %v", what, stand, err)
			}
			if all := there.sought(session.Sought{Only: session.WithCalls, Outlines: true}); len(all) != 1 || all[0].Outline == nil {
				w.Errorf("%s: %+v", what, all)
			}
			here.do("UPDATE depot_sessions SET outlined = 0")
			w.must(there.OutlineOlder(10))
			if all := there.sought(session.Sought{Only: session.Unoutlined}); len(all) != 0 {
				w.Errorf("%s: %+v", what, all)
			}
		}
		if all := there.sought(session.Sought{Only: session.ToRecheck}); len(all) != 1 {
			w.Errorf("its calls are not compared with the tickets: %+v", all)
		}
		here.do("UPDATE depot_outlines SET data = $1", []byte(`{"`))
		if _, err := there.Standing(id); !errors.As(err, new(*session.Damaged)) {
			w.Errorf("%v", err)
		}
	})
}

// Of many sessions only those are asked for that are wanted.
func TestD8_SessionsAreSought(t *testing.T) {
	onBoth(t, func(w world) {
		d := w.machine("here")
		ids := []string{"aa1", "aa2", "ab1"}
		for i, id := range ids {
			l, err := d.Begin(w.Context(), id, About{Cwd: "/p" + id[:1], Labels: []string{"x"}}, []byte(id), nil)
			w.must(err)
			w.must(l.Release(w.Context()))
			w.must(d.db.Within(w.Context(), func(tx *database.Tx) error {
				_, err := tx.ExecContext(w.Context(), "UPDATE depot_sessions SET written = $1 WHERE id = $2", i+1, id)
				return err
			}))
		}
		cwd, nowhere := "/pa", "/q"
		for _, c := range []struct {
			sought session.Sought
			want   []string
		}{
			{session.Sought{}, []string{"ab1", "aa2", "aa1"}},
			{session.Sought{Most: 2}, []string{"ab1", "aa2"}},
			{session.Sought{Prefix: "aa"}, []string{"aa2", "aa1"}},
			{session.Sought{IDs: []string{"aa1", "zz"}}, []string{"aa1"}},
			{session.Sought{IDs: []string{}}, nil},
			{session.Sought{Cwd: &cwd, Most: 1}, []string{"ab1"}},
			{session.Sought{Cwd: &nowhere}, nil},
			{session.Sought{Only: session.WithCalls}, nil},
			{session.Sought{Only: session.Unoutlined}, []string{"ab1", "aa2", "aa1"}},
		} {
			all, err := d.List(w.Context(), c.sought)
			w.must(err)
			var got []string
			for _, one := range all {
				got = append(got, one.ID)
			}
			if !reflect.DeepEqual(got, c.want) {
				w.Errorf("%+v: %q, want %q", c.sought, got, c.want)
			}
		}
		if n, err := d.Count(w.Context()); n != len(ids) || err != nil {
			w.Errorf("%d, %v", n, err)
		}
	})
}
