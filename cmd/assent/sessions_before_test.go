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
		fork   bool
		state  approval.State // of the ticket in the database
		told   string         // to whoever brings the session; empty for nothing
		noted  string         // in the history of the ticket
	}{
		"a no":             {[]func(machine){deny}, false, approval.Refused, holds, "before its session came into this database: never"},
		"a no, for a fork": {[]func(machine){deny}, true, approval.Refused, holds, "denied in the session it was forked from, " + chosenID + ", at "},
		"a yes":            {[]func(machine){says("approve", chosenID, "--reason", "go")}, false, approval.Pending, anew, whoami() + " approved it at "},
		"a yes, then a no": {[]func(machine){says("approve", chosenID), deny}, false, approval.Refused, holds, "never"},
		"nothing":          {nil, false, approval.Pending, "", ""},
		"no tickets":       {[]func(machine){func(m machine) { os.Remove(tickets(m)) }}, false, approval.Pending, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := machines(t, 1)[0]
			m.t = t
			resume := m.parksAlone("touch deployed")
			for _, do := range test.before {
				do(m)
			}
			bring := resume
			if test.fork {
				bring = append(bring, "--fork-session")
			}
			_, complained, status := m.says(bring...)
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
			if test.fork { // the session itself is no other one for that
				return
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
			for _, look := range [][]string{{"sessions", "show", chosenID}, {"inbox"}} { // which offer nothing that is refused
				said, complained, status := m.says(look...)
				if status != 0 || !strings.Contains(said+complained, "lies on this machine only") || strings.Contains(said, "assent deny") || strings.Contains(said, "assent approve") {
					t.Errorf("%q: exit status %d: %s%s", look, status, said, complained)
				}
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

// D8: a fork waits in the database, and what it is a fork of on this machine. A no there is heard by who
// goes on with the fork here, and by who approves its call.
func TestD8_ANoToWhatAForkComesFrom(t *testing.T) {
	t.Parallel()
	const otherID = "22222222-2222-4222-8222-222222222222"
	for name, answer := range map[string][]string{
		"it goes on": nil,
		"a yes":      {"approve", otherID},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := machines(t, 1)[0]
			m.t = t
			resume := m.parksAlone("touch deployed")
			if _, complained, status := m.says(append(resume, "--fork-session", "--session-id", otherID)...); status != 0 {
				t.Fatal(complained)
			}
			if _, complained, status := m.say("deny", chosenID, "--reason", "never"); status != 0 {
				t.Fatal(complained)
			}
			if shown, complained, _ := m.says("sessions", "show", otherID); !strings.Contains(shown, whoami()+" has denied it on this machine") {
				t.Errorf("%s%s", shown, complained)
			}
			if answer != nil {
				if said, complained, status := m.says(answer...); status == 0 {
					t.Error(said, complained)
				}
			}
			for i, arg := range resume {
				if arg == chosenID {
					resume[i] = otherID
				}
			}
			if _, complained, status := m.says(append(resume, "--settings", `{"permissions":{"allow":["Bash"]}}`)...); status != 0 || m.has("deployed") {
				t.Errorf("exit status %d: %s", status, complained)
			}
			if all, histories := m.inDatabase(); len(all) != 1 || !all[0].DeniedByPerson() {
				t.Errorf("%+v\n%s", all, histories)
			}
		})
	}
}

// D8: what is denied where a session lies holds in its forks, also in those that lie elsewhere: nobody can
// say there whether it was, so no rule lets the call run, whatever became of the session or of its copy.
// Only a person does.
func TestD8_WhatWasDeniedElsewhereDoesNotRunInAFork(t *testing.T) {
	t.Parallel()
	const otherID = "22222222-2222-4222-8222-222222222222"
	fork := func(m machine, resume []string) {
		m.must(append(resume, "--fork-session", "--session-id", otherID)...)
	}
	comes := func(m machine, resume []string) { m.must(append(resume, "--database", m.database)...) }
	for name, test := range map[string]struct {
		before func(m machine, resume []string)
		deny   []string
		after  func(m machine)
		goesOn []string // with the fork
		far    bool     // on another machine
	}{
		"in a database": {
			func(m machine, resume []string) { fork(m, resume); comes(m, resume) },
			[]string{"--database", "DATABASE"},
			nil, nil, false,
		},
		"in another database": {
			func(m machine, resume []string) { fork(m, resume); comes(m, resume) },
			[]string{"--database", "DATABASE"},
			nil,
			[]string{"--database", "OTHER"},
			false,
		},
		"in a database, and the copy was removed": {
			func(m machine, resume []string) { fork(m, resume); comes(m, resume) },
			[]string{"--database", "DATABASE"},
			func(m machine) { m.must("sessions", "prune", chosenID) }, nil, false,
		},
		"in a database, and both were removed": {
			func(m machine, resume []string) { fork(m, resume); comes(m, resume) },
			[]string{"--database", "DATABASE"},
			func(m machine) { m.must("sessions", "prune", "--force", chosenID, "--database", m.database) }, nil, false,
		},
		"on another machine": {
			func(m machine, resume []string) {
				m.must(append(resume, "--fork-session", "--session-id", otherID, "--database", m.database)...)
			},
			nil, nil,
			[]string{"--database", "DATABASE"},
			true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			both, other := machines(t, 2), testpostgres.Database(t)
			m := both[0]
			m.t = t
			named := func(args []string) []string {
				args = slices.Clone(args)
				for i, arg := range args {
					switch arg {
					case "DATABASE":
						args[i] = m.database
					case "OTHER":
						args[i] = other
					}
				}
				return args
			}
			resume := m.parksAlone("touch deployed")
			test.before(m, resume)
			m.must(append([]string{"deny", chosenID, "--reason", "never"}, named(test.deny)...)...)
			if test.after != nil {
				test.after(m)
			}
			if test.far {
				m = both[1]
				m.t = t
			}
			args := slices.Clone(resume)
			args[slices.Index(args, chosenID)] = otherID
			goesOn := append(args, named(test.goesOn)...)
			allowed := append(slices.Clone(goesOn), "--settings", `{"permissions":{"allow":["Bash"]}}`)
			if _, complained, status := m.say(allowed...); status != 0 || m.has("deployed") || !strings.Contains(complained, "somebody has to approve or deny it in this one") {
				t.Errorf("exit status %d: %s", status, complained)
			}
			show := append([]string{"sessions", "show", otherID}, named(test.goesOn)...)
			if shown, _, _ := m.say(show...); !strings.Contains(shown, "it may have been denied in a session of which this one is a fork, and nobody can say that here (session "+chosenID) {
				t.Error(shown)
			}
			m.must(append([]string{"approve", otherID}, named(test.goesOn)...)...)
			if m.must(goesOn...); !m.has("deployed") {
				t.Error("it was approved, and did not run")
			}
		})
	}
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
