package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/socket"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/testpostgres"
)

// guards lets Codex make a call on a machine, and returns what waits for the words of the guard.
func (m machine) guards(session, command string, flags ...string) (told func() string) {
	m.t.Helper()
	var out, errOut strings.Builder
	cmd := exec.Command("assent", append([]string{"hook", "--agent", "codex"}, flags...)...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = m.dir, m.env(databaseVariable+"="+m.database), &out, &errOut
	cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":%q,"cwd":%q,"tool_name":"Bash","tool_input":{"command":%s}}`, session, m.dir, strconv.Quote(command)))
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	return func() string {
		m.t.Helper()
		if err := cmd.Wait(); err != nil {
			m.t.Fatalf("%v: %s%s", err, &out, &errOut)
		}
		return out.String()
	}
}

// shared is the tickets of the database that machines share.
func (m machine) shared() *approval.Store {
	m.t.Helper()
	db, err := database.Connect(m.t.Context(), m.database)
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { _ = db.Close() })
	tickets, err := approval.On(m.t.Context(), db)
	if err != nil {
		m.t.Fatal(err)
	}
	return tickets
}

// A guard on one machine waits in the inbox that people on another look into, with no server
// and no settings on its own.
func TestA5_AGuardWaitsInTheSharedInbox(t *testing.T) {
	t.Parallel()
	m := machines(t, 2)
	found := ticketInAnswer.FindStringSubmatch(m[0].guards("thread-1", "make", "--wait", "1ms")())
	if found == nil {
		t.Fatal("it does not wait")
	}
	ticket, err := m[0].shared().Find(t.Context(), found[1])
	if err != nil || ticket.Requester != whoami() || ticket.Asker != "codex" {
		t.Errorf("wanted by %q, %v", ticket.Requester, err)
	}
	if _, err := os.Stat(filepath.Join(m[0].home, ".assent", "state.db")); err == nil {
		t.Error("there are tickets on the machine of the guard")
	}
	if _, complained, status := m[1].says("approve", found[1]); status != 0 {
		t.Fatal(complained)
	}
	if said := m[0].guards("thread-1", "make", "--wait", "1ms")(); said != "" { // which Codex takes for yes
		t.Error(said)
	}
	if said := m[0].guards("thread-1", "make", "--wait", "1ms")(); !strings.Contains(said, "Pending") {
		t.Errorf("the yes was used twice: %s", said)
	}

	told := m[0].guards("thread-2", "make all") // for as long as Codex can wait
	tickets := m[1].shared()
	deadline := time.Now().Add(30 * time.Second)
	for answered := false; !answered && time.Now().Before(deadline); {
		list, err := tickets.List(t.Context(), approval.Query{States: []approval.State{approval.Pending}})
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range list {
			if one.Session == "thread-2" {
				_, complained, status := m[1].says("deny", one.ID, "--reason", "not on a Friday")
				if answered = true; status != 0 {
					t.Fatal(complained)
				}
			}
		}
	}
	if said := told(); !strings.Contains(said, "not on a Friday") {
		t.Error(said)
	}
}

// The prompt tool waits there as well.
func TestA5_ThePromptToolWaitsInTheSharedInbox(t *testing.T) {
	address := testpostgres.Database(t)
	a := newAsked(t, `{}`, mcpFlags{session: "s1", database: address})
	a.tickets = machine{&place{t: t}, address}.shared()
	answered := make(chan verdictOfTool, 1)
	go func() {
		verdict, err := a.ask(t.Context(), deployQuestion)
		if err != nil {
			t.Error(err)
		}
		answered <- verdict
	}()
	a.whenHeld(func(ticket approval.Ticket) {
		if ticket.Requester != whoami() {
			t.Errorf("wanted by %q", ticket.Requester)
		}
		if _, err := a.tickets.Approve(t.Context(), ticket.ID, ticket.Digest, "ana", "", nil); err != nil {
			t.Error(err)
		}
	})
	if verdict := <-answered; verdict.Behavior != "allow" {
		t.Errorf("%+v", verdict)
	}
}

// Whoever needs nobody needs no database, and one that cannot be reached lets nothing through.
func TestA5_NoDatabaseIsNeededForWhatIsNotHeld(t *testing.T) {
	t.Parallel()
	m := machine{newPlace(t), "postgres://ann:hidden@127.0.0.1:1/none"}
	if said := m.guards("thread-1", "ls")(); said != "" {
		t.Errorf("ls: %s", said)
	}
	for _, flags := range [][]string{nil, {"--wait", "1ms"}} {
		said := m.guards("thread-1", "make", flags...)()
		if !strings.Contains(said, `"permissionDecision":"deny"`) || !strings.Contains(said, "cannot be used") || strings.Contains(said, "hidden") {
			t.Errorf("make %v: %s", flags, said)
		}
	}
}

// The yes of a server on the machine counts if the database has it. Tickets of the machine are
// anybody's to write who works there.
func TestT1_OnlyTheDatabaseSaysYesWhereItIsNamed(t *testing.T) {
	t.Parallel()
	for name, inDatabase := range map[string]bool{"a server of the database": true, "one of the machine": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := machines(t, 1)[0]
			dir := filepath.Join(m.home, ".assent")
			tickets, err := approval.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { tickets.Close() }) // after whoever follows its changes
			if inDatabase {
				tickets = m.shared()
			}
			saysYes(t, dir, tickets)
			said := m.guards("thread-1", "make")()
			if inDatabase && said != "" || !inDatabase && (!strings.Contains(said, `"permissionDecision":"deny"`) || !strings.Contains(said, "that is not so")) {
				t.Error(said)
			}
		})
	}
}

// saysYes is a server in a state directory that approves whatever comes.
func saysYes(t *testing.T, dir string, tickets *approval.Store) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	keeper := socket.NewKeeper(tickets)
	server, err := socket.Listen(dir, keeper)
	if err != nil {
		t.Fatal(err)
	}
	ended, followed := make(chan error, 1), make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	go func() {
		followed <- tickets.Follow(ctx, 0, nil, func(list []approval.Change) {
			keeper.Tell(list)
			for _, c := range list {
				if c.To != approval.Pending {
					continue
				}
				ticket, err := tickets.Find(ctx, c.Ticket)
				if err == nil {
					_, err = tickets.Approve(ctx, ticket.ID, ticket.Digest, "ana", "", nil)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := <-followed; err != nil {
			t.Error(err)
		}
	})
}
