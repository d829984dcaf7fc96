package approval

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

func deploy(session string) Call {
	return Call{Session: session, ToolUseID: "toolu_1", Tool: "Bash", Input: strictjson.Raw(`{"command": "deploy"}`), Cwd: "/project"}
}

func (c *counter) park(call Call) Ticket {
	c.t.Helper()
	t, err := c.Park(context.Background(), Parking{Call: call, Policy: "p1", Why: "a hook wants it", By: "hook"})
	if err != nil {
		c.t.Fatal(err)
	}
	return t
}

func (c *counter) find(id string) Ticket {
	c.t.Helper()
	t, err := c.Find(context.Background(), id)
	if err != nil {
		c.t.Fatal(err)
	}
	return t
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestA2_ATicketComesBackAsItWas(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		ctx := t.Context()
		first := s.park(deploy("s1"))
		if again := s.park(deploy("s1")); again.ID != first.ID {
			t.Error("a call that is parked again has another ticket")
		}
		if other := s.park(deploy("s2")); other.ID == first.ID || other.Digest == first.Digest {
			t.Error("calls of two sessions share a ticket")
		}
		_, err := s.Approve(ctx, first.ID, first.Digest, "ann", "go ahead", strictjson.Raw(`{"command": "deploy --dry-run"}`))
		must(t, err)
		got := s.find(first.ID)
		if got.State != Approved || got.Answer == nil || got.Answer.By != "ann" || got.Answer.Input.String() != `{"command":"deploy --dry-run"}` || !got.Answer.At.Equal(s.time) {
			t.Errorf("%+v, %+v", got, got.Answer)
		}
		if got.Answer.Digest == got.Digest || !strings.HasPrefix(got.Answer.Digest, "sha256:") {
			t.Errorf("the digest of the changed input is %s", got.Answer.Digest)
		}
		if got.Input.String() != `{"command": "deploy"}` || got.Policy != "p1" || got.Why != "a hook wants it" || got.Cwd != "/project" {
			t.Errorf("%+v", got)
		}
		if list, err := s.List(ctx, Query{States: []State{Pending}}); err != nil || len(list) != 1 || list[0].Session != "s2" {
			t.Errorf("%v, %v", list, err)
		}
		if list, err := s.List(ctx, Query{Session: "s1", Limit: 5}); err != nil || len(list) != 1 {
			t.Errorf("%v, %v", list, err)
		}
	})
}

func TestS27_TheDigestIsOfWhatWouldRun(t *testing.T) {
	base := deploy("s1")
	want, err := base.Digest()
	must(t, err)
	same := base
	same.Input = strictjson.Raw("{ \"command\" :\"\\u0064eploy\" }")
	if got, err := same.Digest(); err != nil || got != want {
		t.Errorf("another spelling: %s, %v", got, err)
	}
	for name, change := range map[string]func(*Call){
		"tool": func(c *Call) { c.Tool = "Write" }, "session": func(c *Call) { c.Session = "s2" }, "cwd": func(c *Call) { c.Cwd = "/" },
		"input": func(c *Call) { c.Input = strictjson.Raw(`{"command":"deploy "}`) },
	} {
		other := base
		change(&other)
		if got, err := other.Digest(); err != nil || got == want {
			t.Errorf("another %s: %s, %v", name, got, err)
		}
	}
	twice := base
	twice.Input = strictjson.Raw(`{"command":"a","command":"b"}`)
	if _, err := twice.Digest(); err == nil {
		t.Error("an input that means two things has a digest")
	}
}

func TestS27_AClaimIsForTheCallThatWasParked(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		ticket := s.park(deploy("s1"))
		_, err := s.Approve(t.Context(), ticket.ID, ticket.Digest, "ann", "", nil)
		must(t, err)
		other := deploy("s1")
		other.Input, other.Cwd = strictjson.Raw(`{"command":"deploy --force"}`), "/elsewhere"
		_, err = s.Claim(t.Context(), ticket.ID, other, nil, "me")
		var changed *Changed
		if !errors.As(err, &changed) || !strings.Contains(err.Error(), `the input was {"command":"deploy"} and is {"command":"deploy --force"} now`) || !strings.Contains(err.Error(), "/elsewhere") {
			t.Errorf("%v", err)
		}
		if got := s.find(ticket.ID); got.State != Approved {
			t.Errorf("it is %s", got.State)
		}
		if _, err := s.Approve(t.Context(), s.park(deploy("s2")).ID, ticket.Digest, "ann", "", nil); err == nil || !strings.Contains(err.Error(), "not what was shown") {
			t.Errorf("an answer to something else: %v", err)
		}
	})
}

// parkedStates are those of calls that are parked in a session: only a guard is handed anything.
var parkedStates = slices.DeleteFunc(slices.Clone(States), func(s State) bool { return s == Handed })

// drive brings a ticket into a state.
func (c *counter) drive(id string, to State) {
	c.t.Helper()
	ctx, digest := context.Background(), c.find(id).Digest
	call := c.find(id).Call
	claimed := func() int64 {
		fence, err := c.Claim(ctx, id, call, nil, "me")
		must(c.t, err)
		return fence
	}
	var err error
	switch to {
	case Pending:
	case Approved:
		_, err = c.Approve(ctx, id, digest, "ann", "", nil)
	case Denied:
		_, err = c.Deny(ctx, id, digest, "ann", "no")
	case Expired:
		c.time = c.time.Add(2 * time.Hour)
		c.find(id)
	case Cancelled:
		err = c.Cancel(ctx, id, "me", "")
	case Running:
		claimed()
	case Done, Failed:
		err = c.Finish(ctx, id, claimed(), to == Done, "")
	case Refused:
		err = c.Refuse(ctx, id, "me", "")
	case Unknown:
		err = c.Lose(ctx, id, claimed(), "")
	}
	must(c.t, err)
	if got := c.find(id).State; got != to {
		c.t.Fatalf("it is %s and not %s", got, to)
	}
}

// Every change of every state: what may not happen changes nothing and leaves no trace.
func TestA2_Transitions(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		const late = " record record-failure" // of whatever is not over, because these tickets may be older than the run
		allowed := map[State]string{
			Pending:  "approve deny cancel cancel-all claim refuse refuse-seen" + late,
			Approved: "deny claim refuse refuse-seen" + late, // and approve, with another input
			Denied:   "refuse refuse-seen" + late,
			Expired:  "deny refuse refuse-seen" + late,
			Running:  "finish fail release lose sweep" + late,
			Unknown:  "finish fail release ran not-run" + late,
			Done:     "", Failed: "", Refused: "", Cancelled: "",
		}
		silent := map[string]string{ // what changes nothing, and is no mistake either
			"cancel-all": "refused cancelled", "sweep": "pending approved denied expired unknown done failed refused cancelled",
		}
		changes := everyChange()
		s := newStore(t)
		for _, state := range parkedStates {
			for name, change := range changes {
				t.Run(string(state)+" "+name, func(t *testing.T) {
					ticket, err := s.Park(t.Context(), Parking{Call: deploy(t.Name()), Lasts: time.Hour, By: "hook"})
					must(t, err)
					s.drive(ticket.ID, state)
					before := s.find(ticket.ID)
					history, err := s.History(t.Context(), ticket.ID)
					must(t, err)
					err = change(s, before)
					after := s.find(ticket.ID)
					more, historyErr := s.History(t.Context(), ticket.ID)
					must(t, historyErr)
					if strings.Contains(" "+allowed[state]+" ", " "+name+" ") {
						last := more[len(more)-1]
						if err != nil || len(more) != len(history)+1 || last.From != state || last.To != after.State || after.State == state {
							t.Errorf("%v; %s, %+v", err, after.State, last)
						}
						return
					}
					var wrong *WrongState
					var foreign *Foreign
					refused := errors.As(err, &wrong) && wrong.State == state
					if name == "hand" { // which is for held calls only
						refused = errors.As(err, &foreign) && foreign.Asker == ""
					}
					if strings.Contains(" "+silent[name]+" ", " "+string(state)+" ") {
						refused = err == nil
					}
					if !refused || !reflect.DeepEqual(after, before) || len(more) != len(history) {
						t.Errorf("%v; %+v, %d rows of history", err, after, len(more)-len(history))
					}
				})
			}
		}
	})
}

// everyChange is all that can be done to a ticket, by whoever.
func everyChange() map[string]func(s *counter, t Ticket) error {
	return map[string]func(s *counter, t Ticket) error{
		"approve": func(s *counter, t Ticket) error {
			_, err := s.Approve(s.t.Context(), t.ID, t.Digest, "bob", "", nil)
			return err
		},
		"deny": func(s *counter, t Ticket) error {
			_, err := s.Deny(s.t.Context(), t.ID, t.Digest, "bob", "")
			return err
		},
		"cancel": func(s *counter, t Ticket) error { return s.Cancel(s.t.Context(), t.ID, "bob", "") },
		"claim": func(s *counter, t Ticket) error {
			_, err := s.Claim(s.t.Context(), t.ID, t.Call, nil, "bob")
			return err
		},
		"finish":  func(s *counter, t Ticket) error { return s.Finish(s.t.Context(), t.ID, t.Fence, true, "") },
		"fail":    func(s *counter, t Ticket) error { return s.Finish(s.t.Context(), t.ID, t.Fence, false, "") },
		"release": func(s *counter, t Ticket) error { return s.Release(s.t.Context(), t.ID, t.Fence) },
		"refuse":  func(s *counter, t Ticket) error { return s.Refuse(s.t.Context(), t.ID, "bob", "") },
		"lose":    func(s *counter, t Ticket) error { return s.Lose(s.t.Context(), t.ID, t.Fence, "") },
		"ran": func(s *counter, t Ticket) error {
			_, err := s.Resolve(s.t.Context(), t.ID, true, "bob", "")
			return err
		},
		"not-run": func(s *counter, t Ticket) error {
			_, err := s.Resolve(s.t.Context(), t.ID, false, "bob", "")
			return err
		},
		"cancel-all":     func(s *counter, t Ticket) error { return s.CancelAll(s.t.Context(), []string{t.ID}, "bob", "") },
		"refuse-seen":    func(s *counter, t Ticket) error { return s.RefuseSeen(s.t.Context(), t.ID, t.Said(), "bob", "") },
		"record":         func(s *counter, t Ticket) error { return s.Record(s.t.Context(), t.ID, true, "bob", "") },
		"record-failure": func(s *counter, t Ticket) error { return s.Record(s.t.Context(), t.ID, false, "bob", "") },
		"sweep": func(s *counter, t Ticket) error {
			_, err := s.Sweep(s.t.Context(), func(session string) bool { return session != t.Session })
			return err
		},
		"hand": func(s *counter, t Ticket) error {
			_, err := s.Hand(s.t.Context(), t.ID, "guard")
			return err
		},
	}
}

func TestS41_TimeEnds(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for _, outcome := range []permission.Behavior{permission.Deny, permission.Allow, permission.Ask} {
			s := newStore(t)
			ticket, err := s.Park(t.Context(), Parking{Call: deploy("s1"), Lasts: time.Hour, Outcome: outcome})
			must(t, err)
			s.time = s.time.Add(time.Hour - time.Microsecond)
			if got := s.find(ticket.ID); got.State != Pending {
				t.Errorf("too early: %s", got.State)
			}
			s.time = s.time.Add(time.Microsecond)
			if got := s.find(ticket.ID); got.State != Expired {
				t.Errorf("it is %s", got.State)
			}
			// B16: what would run unanswered may be approved, for it may need a person all the same.
			if _, err := s.Approve(t.Context(), ticket.ID, ticket.Digest, "ann", "", nil); (err == nil) != (outcome == permission.Allow) {
				t.Errorf("an answer after the time was over, outcome %v: %v", outcome, err)
			}
			if got := s.find(ticket.ID); outcome != permission.Allow && got.State != Expired {
				t.Errorf("it is %s", got.State)
			}
			_, err = s.Claim(t.Context(), ticket.ID, ticket.Call, nil, "me")
			if (err == nil) != (outcome == permission.Allow) {
				t.Errorf("outcome %v: %v", outcome, err)
			}
		}
		s := newStore(t)
		ticket := s.park(deploy("s1"))
		s.time = s.time.AddDate(100, 0, 0)
		if got := s.find(ticket.ID); got.State != Pending {
			t.Errorf("without a time to live it is %s", got.State)
		}
	})
}

func TestS27_OnlyThePresentClaimCounts(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		ctx := t.Context()
		ticket := s.park(deploy("s1"))
		first, err := s.Claim(ctx, ticket.ID, ticket.Call, nil, "one")
		must(t, err)
		must(t, s.Lose(ctx, ticket.ID, first, "died"))
		again, err := s.Resolve(ctx, ticket.ID, false, "ann", "looked at the log")
		must(t, err)
		if again.State != Pending || again.Answer != nil || again.Holder != "" {
			t.Errorf("%+v", again)
		}
		var moved *WrongState
		if err := s.Finish(ctx, ticket.ID, first, true, ""); !errors.As(err, &moved) || moved.State != Pending {
			t.Errorf("it ended what a person has said did not run: %v", err)
		}
		second, err := s.Claim(ctx, ticket.ID, ticket.Call, nil, "two")
		must(t, err)
		var superseded *Superseded
		if err := s.Finish(ctx, ticket.ID, first, true, ""); !errors.As(err, &superseded) {
			t.Errorf("the dead one has finished it: %v", err)
		}
		must(t, s.Lose(ctx, ticket.ID, second, "was not heard of in time"))
		if err := s.Finish(ctx, ticket.ID, first, true, ""); !errors.As(err, &superseded) {
			t.Errorf("the dead one has finished it: %v", err)
		}
		must(t, s.Finish(ctx, ticket.ID, second, true, "")) // it was only asleep, and says how the call did
		if got := s.find(ticket.ID); got.State != Done || got.Holder != "" {
			t.Errorf("%+v", got)
		}
		history, err := s.History(ctx, ticket.ID)
		must(t, err)
		var path []string
		for _, e := range history {
			path = append(path, string(e.To))
		}
		if got := strings.Join(path, " "); got != "pending running unknown pending running unknown done" || history[3].Who != "ann" || history[3].Note != "looked at the log" {
			t.Errorf("%s, %+v", got, history)
		}
	})
}

func TestS27_OneOfManyClaims(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		ticket := s.park(deploy("s1"))
		_, err := s.Approve(t.Context(), ticket.ID, ticket.Digest, "ann", "", nil)
		must(t, err)
		var mu sync.Mutex
		won := 0
		var all sync.WaitGroup
		for n := range 8 {
			all.Go(func() {
				own, err := s.open() // as another process would
				if err != nil {
					t.Error(err)
					return
				}
				defer own.Close()
				_, err = own.Claim(t.Context(), ticket.ID, ticket.Call, nil, fmt.Sprint(n))
				var wrong *WrongState
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					won++
				case !errors.As(err, &wrong):
					t.Error(err)
				}
			})
		}
		all.Wait()
		if won != 1 {
			t.Errorf("%d have claimed it", won)
		}
	})
}

func databaseOf(t *testing.T, s *counter) string {
	t.Helper()
	var number int
	var name, file string
	if err := s.db.Writer().QueryRow("PRAGMA database_list").Scan(&number, &name, &file); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestSweepFindsTheDead(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		ctx := t.Context()
		for _, name := range []string{"dead", "alive", "waiting"} {
			ticket := s.park(deploy(name))
			if name != "waiting" {
				_, err := s.Claim(ctx, ticket.ID, ticket.Call, nil, "pid 1")
				must(t, err)
			}
		}
		for round, want := range []int{1, 0} {
			lost, err := s.Sweep(ctx, func(session string) bool { return session != "dead" })
			if err != nil || len(lost) != want {
				t.Errorf("round %d: %+v, %v", round, lost, err)
			}
		}
		if list, err := s.List(ctx, Query{States: []State{Unknown}}); err != nil || len(list) != 1 || list[0].Session != "dead" {
			t.Errorf("%+v, %v", list, err)
		}
	})
}

func TestOpen(t *testing.T) {
	s := newFileStore(t)
	file := databaseOf(t, s)
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if !Exists(filepath.Dir(file)) || Exists(t.TempDir()) {
		t.Error("who looks for tickets is misled")
	}
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, fileName), []byte(strings.Repeat("no database ", 1000)), 0o600))
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), fileName) {
		t.Errorf("a file that is no database: %v", err)
	}
	if _, err := s.Find(t.Context(), "nothing"); err == nil || !strings.Contains(err.Error(), `no ticket "nothing"`) {
		t.Errorf("%v", err)
	}
}

func TestForget(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		kept, gone := s.park(deploy("s1")), s.park(deploy("s2"))
		must(t, s.Forget(t.Context(), "s2"))
		if _, err := s.Find(t.Context(), gone.ID); err == nil {
			t.Error("it is still there")
		}
		if history, err := s.History(t.Context(), gone.ID); err != nil || len(history) > 0 {
			t.Errorf("%v, %v", history, err)
		}
		s.find(kept.ID)
	})
}

func TestADamagedTicketIsNoPermission(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for column, value := range map[string]string{"state": "perhaps", "outcome": "ask", "answer": "{"} {
			s := newStore(t)
			ticket := s.park(deploy("s1"))
			if _, err := s.db.Writer().Exec("UPDATE tickets SET "+column+" = $1", value); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Claim(t.Context(), ticket.ID, ticket.Call, nil, "me"); err == nil || !strings.Contains(err.Error(), "damaged") {
				t.Errorf("%s: %v", column, err)
			}
		}
	})
}
