package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/testpostgres"
	"github.com/assent-dev/assent/permission"
)

// parksAlone makes a session that lies on the machine only, in which a call waits, and returns how
// it goes on.
func (m machine) parksAlone(command string) (resume []string) {
	m.t.Helper()
	flags := m.deferring()
	script := m.playing("deploy.yaml", "turns:\n  - call: {Bash: {command: "+command+"}}\nafterwards: Done.\n")
	if _, complained, status := m.say(append(flags, "-p", "--session-id", chosenID, "--model", script, "deploy")...); status != 0 {
		m.t.Fatal(complained)
	}
	return append(flags, "-p", "--resume", chosenID, "--model", m.playing("end.yaml", "turns: []\nafterwards: Done.\n"))
}

// inDatabase are the tickets in the database, each with what its history says.
func (m machine) inDatabase() (all []approval.Ticket, histories []string) {
	m.t.Helper()
	db, err := database.Connect(m.t.Context(), m.database)
	if err != nil {
		m.t.Fatal(err)
	}
	defer db.Close()
	tickets, err := approval.On(m.t.Context(), db)
	if err != nil {
		m.t.Fatal(err)
	}
	if all, err = tickets.List(m.t.Context(), approval.Query{}); err != nil {
		m.t.Fatal(err)
	}
	for _, t := range all {
		events, err := tickets.History(m.t.Context(), t.ID)
		if err != nil {
			m.t.Fatal(err)
		}
		var lines []string
		for _, e := range events {
			lines = append(lines, e.Kind+"|"+e.Who+"|"+e.Note)
		}
		histories = append(histories, strings.Join(lines, "\n"))
	}
	return all, histories
}

// D8: what somebody has said about a call before its session comes into a database is not lost: a no
// holds there, and of a yes, which does not count there, people are told. So is whoever brings it.
func TestD8_WhatWasSaidBeforeTheDatabase(t *testing.T) {
	t.Parallel()
	says := func(args ...string) func(machine) {
		return func(m machine) {
			m.t.Helper()
			if _, complained, status := m.say(args...); status != 0 {
				m.t.Fatal(complained)
			}
		}
	}
	deny := says("deny", chosenID, "--reason", "never")
	tickets := func(m machine) string { return filepath.Join(m.state(), "state.db") }
	const holds, anew = "that holds in the database", "it has to be approved anew"
	for name, test := range map[string]struct {
		before []func(machine)
		state  approval.State // of the ticket in the database
		told   string         // to whoever brings the session; empty for nothing
		noted  string         // in the history of the ticket
	}{
		"a no":             {[]func(machine){deny}, approval.Refused, holds, "before its session came into this database: never"},
		"a yes":            {[]func(machine){says("approve", chosenID, "--reason", "go")}, approval.Pending, anew, whoami() + " approved it at "},
		"a yes, then a no": {[]func(machine){says("approve", chosenID), deny}, approval.Refused, holds, "never"},
		"nothing":          {nil, approval.Pending, "", ""},
		"no tickets":       {[]func(machine){func(m machine) { os.Remove(tickets(m)) }}, approval.Pending, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := machines(t, 1)[0]
			m.t = t
			resume := m.parksAlone("touch deployed")
			for _, do := range test.before {
				do(m)
			}
			_, complained, status := m.says(resume...)
			if status != 0 || strings.Count(complained, test.told) != 1 && test.told != "" || strings.Count(complained, "\n") > 2 {
				t.Errorf("exit status %d\n%s", status, complained)
			}
			if test.told == "" && strings.Contains(complained, "database") {
				t.Error(complained)
			}
			all, histories := m.inDatabase()
			if len(all) != 1 || all[0].State != test.state || !strings.Contains(histories[0], test.noted) || test.noted == "" && strings.Contains(histories[0], "came into") {
				t.Fatalf("%+v\n%s", all, histories)
			}
			if got := all[0]; test.state == approval.Refused && (got.Answer == nil || got.Answer.Behavior != permission.Deny || got.Answer.By != whoami() || got.Answer.Message != "never") {
				t.Errorf("%+v", got.Answer)
			}
			if m.has("deployed") {
				t.Error("it ran")
			}
			if _, complained, status := m.say(resume...); status == 0 || m.has("deployed") {
				t.Errorf("it goes on without the database: %s", complained)
			}
			if test.state != approval.Pending {
				return
			}
			for _, args := range [][]string{{"approve", chosenID}, resume} {
				if _, complained, status := m.says(args...); status != 0 {
					t.Error(complained)
				}
			}
			if !m.has("deployed") {
				t.Error("it did not run after a yes in the database")
			}
		})
	}
}

// D8: a no is in the database before its session is: whatever becomes of the process that brings it,
// nobody approves the call on any machine.
func TestD8_ANoComesBeforeItsSession(t *testing.T) {
	t.Parallel()
	for name, bring := range map[string]func(m machine){
		"nobody brings it": nil,
		"a hook wants no work": func(m machine) {
			stop := m.write("stop.json", `{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"echo '{\"continue\":false}'"}]}]}}`)
			m.says("-p", "--resume", chosenID, "--settings", stop, "--model", "script:"+filepath.Join(m.dir, "end.yaml"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := machines(t, 2)
			m[0].t, m[1].t = t, t
			resume := m[0].parksAlone("touch deployed")
			if _, complained, status := m[0].say("deny", chosenID, "--reason", "never"); status != 0 {
				t.Fatal(complained)
			}
			if said, complained, _ := m[0].says("sessions", "show", chosenID); !strings.Contains(said, whoami()+" has denied it on this machine, and that holds in the database as well") {
				t.Errorf("%s%s", said, complained)
			}
			there, here := "there is no session or ticket", "lies on this machine only"
			if bring != nil {
				bring(m[0])
				there = whoami() + " has said deny at "
				here = there
			}
			if _, complained, status := m[1].says("approve", chosenID); status == 0 || !strings.Contains(complained, there) {
				t.Errorf("elsewhere: exit status %d\n%s", status, complained)
			}
			if _, complained, status := m[0].says("approve", chosenID); status == 0 || !strings.Contains(complained, here) {
				t.Errorf("here: exit status %d\n%s", status, complained)
			}
			if _, complained, status := m[0].says(resume...); status != 0 || m[0].has("deployed") {
				t.Errorf("exit status %d\n%s", status, complained)
			}
			if all, histories := m[0].inDatabase(); len(all) != 1 || all[0].State != approval.Refused || !all[0].DeniedByPerson() || all[0].Answer.By != whoami() {
				t.Errorf("%+v\n%s", all, histories)
			}
		})
	}
}

// D8: a call whose session lies on this machine is not answered in the database: who goes on with it
// here would not know. Who wants that lets the session come there first, as he is told.
func TestD8_NobodyAnswersInTheDatabaseWhatIsOnlyHere(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answer []string
		ran    bool
	}{
		"a no":  {[]string{"deny", chosenID, "--reason", "never"}, false},
		"a yes": {[]string{"approve", chosenID}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := machines(t, 1)[0]
			m.t = t
			resume := m.parksAlone("touch deployed")
			there := append(test.answer, "--database", m.database)
			if said, complained, status := m.say(there...); status != 1 || !strings.Contains(complained, "lies on this machine only") || !strings.Contains(complained, "answer without --database and ASSENT_DATABASE") {
				t.Fatalf("exit status %d: %s%s", status, said, complained)
			}
			if _, complained, status := m.says(resume...); status != 0 {
				t.Fatal(complained)
			}
			if said, complained, status := m.say(there...); status != 0 || !strings.Contains(said, "(or you here: assent -p --resume "+chosenID+" --database …)") {
				t.Fatalf("exit status %d: %s%s", status, said, complained)
			}
			for _, args := range [][]string{{"approve", chosenID}, {"deny", chosenID, "--reason", "no"}, append(resume, "--settings", `{"permissions":{"allow":["Bash"]}}`)} {
				if _, complained, status := m.say(args...); status == 0 || m.has("deployed") || !strings.Contains(complained, "lies in a database") {
					t.Errorf("%q without the database: exit status %d: %s", args, status, complained)
				}
			}
			if _, complained, status := m.says(resume...); status != 0 || m.has("deployed") != test.ran {
				t.Errorf("exit status %d: %s", status, complained)
			}
		})
	}
}

// D8: where nobody can read what was said about a call before, it does not come into a database, where
// a hook or a rule could run it: it is as when its session goes on without.
func TestD8_TicketsThatCannotBeReadKeepASessionAway(t *testing.T) {
	t.Parallel()
	m := machines(t, 1)[0]
	resume := m.parksAlone("touch deployed")
	if _, complained, status := m.say("deny", chosenID, "--reason", "never"); status != 0 {
		t.Fatal(complained)
	}
	tickets := filepath.Join(m.state(), "state.db")
	kept, err := os.ReadFile(tickets)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(tickets, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, complained, status := m.says(append(resume, "--settings", `{"permissions":{"allow":["Bash"]}}`)...)
	if status == 0 || m.has("deployed") || !strings.Contains(complained, "does not come into the database: nobody can say whether somebody has denied the call ") {
		t.Errorf("exit status %d: %s", status, complained)
	}
	if all, _ := m.inDatabase(); len(all) != 0 {
		t.Errorf("%+v", all)
	}
	if err := os.WriteFile(tickets, kept, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, complained, status := m.says(resume...); status != 0 || m.has("deployed") || !strings.Contains(complained, "that holds in the database") {
		t.Errorf("exit status %d: %s", status, complained)
	}
}

// D8: a fork lies where that lies which it is a fork of. What is denied there holds in it, and nobody
// would know elsewhere.
func TestD8_AForkLiesWhereItComesFrom(t *testing.T) {
	t.Parallel()
	const otherID, thirdID = "22222222-2222-4222-8222-222222222222", "33333333-3333-4333-8333-333333333333"
	m, elsewhere := machines(t, 1)[0], testpostgres.Database(t)
	resume := m.parksAlone("touch deployed")
	of := func(id string, more ...string) []string {
		args := slices.Clone(resume)
		args[slices.Index(args, chosenID)] = id
		return append(append(args, "--settings", `{"permissions":{"allow":["Bash"]}}`), more...)
	}
	refused := func(want string, args ...string) {
		t.Helper()
		if _, complained, status := m.say(args...); status == 0 || m.has("deployed") || !strings.Contains(complained, want) {
			t.Errorf("%q: exit status %d: %s", args, status, complained)
		}
	}
	done := func(args ...string) {
		t.Helper()
		if _, complained, status := m.say(args...); status != 0 || m.has("deployed") {
			t.Fatalf("%q: exit status %d: %s", args, status, complained)
		}
	}
	done(append(resume, "--fork-session", "--session-id", otherID)...)
	const first = "which lies on this machine only (let that come there first"
	refused(first, of(chosenID, "--fork-session", "--session-id", thirdID, "--database", m.database)...)
	refused(first, of(otherID, "--database", m.database)...)
	done(append(resume, "--database", m.database)...)
	done("deny", chosenID, "--reason", "never", "--database", m.database)
	const asks = "nobody can say whether the call was denied in session " + chosenID
	refused(asks, of(otherID)...)
	refused("it is a fork of what lies in another one", of(otherID, "--database", elsewhere)...)
	if said, complained, _ := m.say("sessions", "prune", chosenID); !strings.Contains(said+complained, "is a fork of it") {
		t.Error(said, complained)
	}
	refused(asks, of(otherID)...)
	done(of(otherID, "--database", m.database)...)
}

// D8: a server or worker of the machine says nothing in the database about a call whose session
// nobody has brought there.
//
// It is alone: the process of the tests opens a session, and whatever others start below it meanwhile
// would be taken for something that an agent has started.
func TestD8_NothingOfASessionComesByItself(t *testing.T) {
	m := machines(t, 1)[0]
	m.parksAlone("touch deployed")
	s, err := (&joining{given: m.database}).join(t.Context(), m.state())
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	c, err := clerk.Among(t.Context(), m.state(), s.sessions, s.tickets)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.MakeTickets(t.Context()); err != nil {
		t.Fatal(err)
	}
	if all, _ := m.inDatabase(); len(all) != 0 {
		t.Errorf("%+v", all)
	}
	if _, complained, status := m.say("deny", chosenID, "--reason", "never"); status != 0 {
		t.Fatal(complained)
	}
	const before = "has denied it on this machine, and that holds in the database as well"
	if shown, complained, status := m.says("sessions", "show", chosenID); status != 0 || !strings.Contains(shown, before) {
		t.Errorf("%s%s", shown, complained)
	}
}
