package herald

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
)

// What follows from the history of a ticket, which is written as "FROM>TO" or "KIND" with the
// minutes since noon at which each row was written.
func TestPlan(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	minute := func(n float64) time.Time { return noon.Add(time.Duration(n * float64(time.Minute))) }
	ladder := permission.Terms{Escalate: []permission.Escalation{{After: time.Hour, Notify: []string{"b"}}, {After: 30 * time.Minute, Notify: []string{"a"}}}}
	for name, tt := range map[string]struct {
		history string
		ticket  approval.Ticket
		before  progress
		now     float64
		want    string // news and steps, then what was seen and reminded, then when to look again
	}{
		"a call is parked":            {history: ">pending 0", want: "waits@0 | 1 0 | -"},
		"and looked at again":         {history: ">pending 0", before: progress{1, 0}, now: 1, want: "| 1 0 | -"},
		"one whose time ends":         {history: ">pending 0", ticket: approval.Ticket{Expires: minute(90)}, want: "waits@0 | 1 0 | 90"},
		"long before a server came":   {history: ">pending 0", now: 60 * 24 * 9, want: "waits@0 | 1 0 | -"},
		"nobody answers":              {history: ">pending 0", ticket: approval.Ticket{Terms: ladder, Expires: minute(90)}, want: "waits@0 | 1 0 | 30"},
		"for half an hour":            {history: ">pending 0", ticket: approval.Ticket{Terms: ladder}, before: progress{1, 0}, now: 30, want: "reminds@30/0 | 1 1 | 60"},
		"that is told once":           {history: ">pending 0", ticket: approval.Ticket{Terms: ladder}, before: progress{1, 1}, now: 31, want: "| 1 1 | 60"},
		"for an hour":                 {history: ">pending 0; escalated 30", ticket: approval.Ticket{Terms: ladder, Expires: minute(90)}, before: progress{1, 1}, now: 60, want: "reminds@60/1 | 2 2 | 90"},
		"for long without a server":   {history: ">pending 0", ticket: approval.Ticket{Terms: ladder}, now: 300, want: "waits@0 reminds@30/0 reminds@60/1 | 1 2 | -"},
		"somebody has meanwhile":      {history: ">pending 0; pending>approved 20", ticket: approval.Ticket{Terms: ladder, State: "approved"}, before: progress{1, 0}, now: 30, want: "answered@20 | 2 0 | -"},
		"votes and comments":          {history: ">pending 0; vote 1; comment 2; withdrawn 3", before: progress{1, 0}, now: 4, want: "| 4 0 | -"},
		"an answer":                   {history: ">pending 0; pending>denied 2", ticket: approval.Ticket{State: "denied"}, before: progress{1, 0}, now: 2, want: "answered@2 | 2 0 | -"},
		"answered before it was told": {history: ">pending 0; pending>approved 0", ticket: approval.Ticket{State: "approved"}, want: "answered@0 | 2 0 | -"},
		"it ran already":              {history: ">pending 0; pending>approved 2; approved>running 2; running>done 2", ticket: approval.Ticket{State: "done"}, before: progress{1, 0}, now: 2, want: "answered@2 | 4 0 | -"},
		"a rule has answered":         {history: ">pending 0; pending>running 2; running>done 2", ticket: approval.Ticket{State: "done"}, before: progress{1, 0}, now: 2, want: "| 3 0 | -"},
		"an old answer":               {history: ">pending 0; pending>approved 2", ticket: approval.Ticket{State: "approved"}, now: 60 * 25, want: "| 2 0 | -"},
		"an answer of a fork":         {history: ">pending 0; pending>denied 0", ticket: approval.Ticket{State: "denied", Answer: &approval.Answer{From: "other"}}, want: "| 2 0 | -"},
		"one that may be taken back":  {history: ">pending 0; pending>approved 2", ticket: approval.Ticket{State: "approved", Answer: &approval.Answer{At: minute(2), Settles: minute(3)}}, before: progress{1, 0}, now: 2, want: "| 1 0 | 3"},
		"before anybody looked":       {history: ">pending 0; pending>approved 2", ticket: approval.Ticket{State: "approved", Answer: &approval.Answer{At: minute(2), Settles: minute(3)}}, now: 2, want: "waits@0 | 1 0 | 3"},
		"and was not":                 {history: ">pending 0; pending>approved 2", ticket: approval.Ticket{State: "approved", Answer: &approval.Answer{At: minute(2), Settles: minute(3)}}, before: progress{1, 0}, now: 3, want: "answered@2 | 2 0 | -"},
		"and was":                     {history: ">pending 0; pending>approved 2; approved>pending 2.5", ticket: approval.Ticket{Expires: minute(90)}, before: progress{1, 0}, now: 3, want: "| 3 0 | 90"},
		"and was, since then":         {history: ">pending 0; pending>approved 2", before: progress{1, 0}, now: 3, want: "| 1 0 | -"},
		"and was, by a second no":     {history: ">pending 0; pending>denied 2; denied>pending 2; pending>denied 3", ticket: approval.Ticket{State: "denied"}, before: progress{1, 0}, now: 3, want: "answered@3 | 4 0 | -"},
		"one after the other":         {history: ">pending 0; pending>approved 2; approved>denied 3", ticket: approval.Ticket{State: "denied"}, before: progress{2, 0}, now: 3, want: "answered@3 | 3 0 | -"},
		"its time is over":            {history: ">pending 0; pending>expired 9", ticket: approval.Ticket{State: "expired", Expires: minute(9)}, before: progress{1, 0}, now: 9, want: "expired@9 | 2 0 | -"},
		"and the model was told":      {history: ">pending 0; pending>expired 9; expired>refused 9", ticket: approval.Ticket{State: "refused", Expires: minute(9)}, before: progress{1, 0}, now: 9, want: "expired@9 | 3 0 | -"},
		"it was given back":           {history: ">pending 0; pending>approved 1; approved>running 1; running>approved 2", ticket: approval.Ticket{State: "approved"}, before: progress{1, 0}, now: 2, want: "answered@1 | 4 0 | -"},
		"nobody knows":                {history: ">pending 0; pending>approved 1; approved>running 1; running>unknown 5", ticket: approval.Ticket{State: "unknown"}, before: progress{3, 0}, now: 60 * 30, want: "unknown@5 | 4 0 | -"},
		"and somebody found out":      {history: ">pending 0; pending>approved 1; approved>running 1; running>unknown 5; unknown>done 6", ticket: approval.Ticket{State: "done"}, before: progress{3, 0}, now: 6, want: "| 5 0 | -"},
		"it waits again":              {history: ">pending 0; pending>approved 1; approved>running 1; running>unknown 5; unknown>pending 40", ticket: approval.Ticket{Terms: ladder}, before: progress{4, 2}, now: 40, want: "waits@40 | 5 0 | 70"},
		"and nobody answers again":    {history: ">pending 0; pending>approved 1; approved>running 1; running>unknown 5; unknown>pending 40", ticket: approval.Ticket{Terms: ladder}, before: progress{5, 0}, now: 70, want: "reminds@70/0 | 5 1 | 100"},
	} {
		t.Run(name, func(t *testing.T) {
			ticket := tt.ticket
			ticket.Created = noon
			if ticket.State == "" {
				ticket.State = approval.Pending
			}
			p := planFor(ticket, rowsOf(t, tt.history, minute), tt.before, minute(tt.now))
			var got []string
			for _, one := range p.tidings {
				text := fmt.Sprintf("%s@%v", one.kind, one.at.Sub(noon).Minutes())
				if one.kind == "reminds" {
					text += fmt.Sprintf("/%d", one.step)
				}
				if got = append(got, text); !one.found.Equal(minute(tt.now)) {
					t.Errorf("%s was found at %s", text, one.found)
				}
			}
			next := "-"
			if !p.next.IsZero() {
				next = fmt.Sprint(p.next.Sub(noon).Minutes())
			}
			all := strings.TrimSpace(fmt.Sprintf("%s | %d %d | %s", strings.Join(got, " "), p.seen, p.reminded, next))
			if all != tt.want {
				t.Errorf("got %s, want %s", all, tt.want)
			}
		})
	}
}

// A yes that does not count any more was an answer to everybody: people are told that the call
// waits again, and reminded of it anew.
func TestA4_PeopleAreToldThatAYesHasLapsed(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	history := []approval.Event{
		{To: approval.Pending, At: noon},
		{From: approval.Pending, To: approval.Approved, At: at(2)},
		{From: approval.Approved, To: approval.Pending, At: at(50), Note: "a yes does not count any more, that of ben: ben is disabled"},
	}
	ticket := approval.Ticket{State: approval.Pending, Created: noon, Terms: permission.Terms{Escalate: []permission.Escalation{{After: 30 * time.Minute, Notify: []string{"a"}}}}}
	p := planFor(ticket, history, progress{2, 1}, at(50))
	if len(p.tidings) != 1 || p.tidings[0].kind != "waits" || !p.tidings[0].at.Equal(at(50)) || p.reminded != 0 || !p.next.Equal(at(80)) {
		t.Errorf("%+v", p)
	}
}

func rowsOf(t *testing.T, text string, minute func(float64) time.Time) (history []approval.Event) {
	t.Helper()
	for row := range strings.SplitSeq(text, "; ") {
		var what string
		var at float64
		if _, err := fmt.Sscan(row, &what, &at); err != nil {
			t.Fatal(err)
		}
		from, to, changes := strings.Cut(what, ">")
		e := approval.Event{At: minute(at), From: approval.State(from), To: approval.State(to)}
		if !changes {
			e = approval.Event{At: minute(at), From: approval.Pending, To: approval.Pending, Kind: what}
		}
		history = append(history, e)
	}
	return history
}

func TestTidingsAsBellsCarryThem(t *testing.T) {
	one := tiding{kind: "reminds", at: time.UnixMicro(1_700_000_000_000_001).UTC(), found: time.UnixMicro(1_700_000_000_000_002).UTC(), step: 3}
	for _, target := range []string{"", "ops", "-", "1"} {
		arg := one.arg()
		if target != "" {
			arg = one.argFor(target)
		}
		if got, to, err := readTiding(arg); err != nil || got != one || to != target {
			t.Errorf("%q: %+v, %q, %v", arg, got, to, err)
		}
	}
	for _, arg := range []string{"", "waits", "waits 1 2", "waits 1 2 x", "waits 1 2 3 ops more"} {
		if _, _, err := readTiding(arg); err == nil {
			t.Errorf("%q was understood", arg)
		}
	}
}
