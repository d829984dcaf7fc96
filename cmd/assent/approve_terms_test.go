package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/proof"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// parkedBy parks a call that somebody wants, with terms.
func (w *counterTest) parkedBy(requester string, terms permission.Terms) approval.Ticket {
	w.t.Helper()
	call := w.bash("a", "deploy")
	w.park(firstID, call)
	stand, err := w.sessions.Standing(firstID)
	w.check(err)
	var ticket approval.Ticket
	w.tickets(func(ctx context.Context, s *approval.Store) {
		ticket, err = s.Park(ctx, approval.Parking{Call: callIn(firstID, call), At: stand.Calls[0].Since, By: "hook guard", Risk: permission.MediumRisk, Requester: requester, Terms: terms})
		w.check(err)
	})
	return ticket
}

// yesOf is the yes of somebody who has signed in.
func (w *counterTest) yesOf(t approval.Ticket, voter, reason string, input strictjson.Raw) {
	w.t.Helper()
	w.tickets(func(ctx context.Context, s *approval.Store) {
		_, err := s.Say(ctx, t.ID, t.Digest, approval.Answer{Behavior: permission.Allow, By: voter, Voter: voter, Message: reason, Input: input})
		w.check(err)
	})
}

// Whoever says yes at a terminal where it matters who does is told where to say it, before a
// word is asked for.
func TestA4_ATerminalKnowsOnlyAnAccount(t *testing.T) {
	for name, c := range map[string]struct {
		terms    permission.Terms
		settings string
		want     string
	}{
		"several people":      {permission.Terms{Approvers: 2}, `{}`, "2 people have to approve it, each with a name"},
		"somebody else":       {permission.Terms{NotRequester: true}, `{}`, "somebody else than whoever wanted it has to approve it"},
		"by today's settings": {permission.Terms{}, `{"assent":{"approvals":{"any":{"approvers":3}}}}`, "3 people have to approve it"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newCounter(t)
			w.settings(c.settings)
			ticket := w.parkedBy("ana@host", c.terms)
			w.run(1, "approve", ticket.ID, "--reason", "I am in a hurry")
			w.says(c.want, "a terminal knows only the account "+whoami(), "sign in at the page of `assent serve`, and approve "+ticket.ID+" there")
			w.run(1, "approve", ticket.ID, "--input", `{"command":"git push --force origin main"}`)
			w.says("a terminal knows only the account", "!high risk")
			if got := w.stateOf(firstID, "a"); got != "pending" {
				t.Errorf("the ticket is %s", got)
			}
			w.run(0, "sessions", "show", ticket.ID)
			if c.terms.Personal() { // there is no command by which a person signs in
				w.says("sign in at the page of `assent serve`, and approve "+ticket.ID+" there", "!--server", "!assent approve")
			}
			w.run(0, "deny", ticket.ID, "--reason", "no") // which anybody may
		})
	}
}

func TestA4_AReasonAtATerminal(t *testing.T) {
	w := newCounter(t)
	ticket := w.parkedBy("ana@host", permission.Terms{Reason: true})
	w.run(0, "sessions", "show", ticket.ID)
	w.says("needs       a reason", "assent approve "+ticket.ID+" --reason '…'", "!--server")
	w.run(1, "approve", ticket.ID)
	w.says("a yes to it needs a reason: assent approve " + ticket.ID + " --reason")
	w.run(1, "approve", ticket.ID, "--reason", " ")
	w.run(0, "approve", ticket.ID, "--reason", "as agreed")
	if a := w.answerOf(firstID, "a"); a == nil || a.Message != "as agreed" {
		t.Errorf("%+v", a)
	}
}

// Terms, votes and comments are shown, and what others wrote is made visible.
func TestA4_TermsVotesAndCommentsAreShown(t *testing.T) {
	w := newCounter(t)
	ticket := w.parkedBy("ana@host", permission.Terms{Approvers: 3, NotRequester: true})
	w.run(0, "sessions", "show", ticket.ID)
	w.says("pending: nobody has answered", "wanted by   ana@host", "needs       the yes of 3 people; somebody else than whoever wanted it")
	w.yesOf(ticket, "ben", "looked\x1b[2J", nil)
	w.yesOf(ticket, "cleo", "", strictjson.Raw(`{"command":"deploy --dry-run"}`))
	w.tickets(func(ctx context.Context, s *approval.Store) {
		w.check(s.Comment(ctx, ticket.ID, "dan", "is it\nFriday?\x1b[2J"))
	})
	w.run(0, "sessions", "show", ticket.ID)
	w.says("pending: 1 of 3 people have approved; it waits for the others", "yes of      ben, at ", "yes of      cleo, at ", "(for another input, or other files)", "vote       ben: looked", "comment    dan: is it", "!\x1b[2J")
	w.run(0, "sessions", "show", ticket.ID, "--json")
	w.says(`"requester": "ana@host"`, `"approvers": 3`, `"not_requester": true`, `"same": true`, `"same": false`, `"kind": "vote"`, `"kind": "comment"`)
	w.yesOf(ticket, "cleo", "", nil)
	w.yesOf(ticket, "eva", "", nil)
	w.run(0, "sessions", "show", ticket.ID)
	w.says("approved by eva, after ben, cleo", "!\nyes of")
	w.run(1, "approve", ticket.ID)
	w.says("is approved: eva has said allow")
}

// What somebody remarks about a call that was refused is not why it was.
func TestA4_ACommentIsNotTheReason(t *testing.T) {
	w := newCounter(t)
	ticket := w.parkedBy("", permission.Terms{NotRequester: true})
	w.run(0, "sessions", "show", ticket.ID)
	w.says("somebody else than whoever wanted it, who is unknown", "!wanted by")
	w.tickets(func(ctx context.Context, s *approval.Store) {
		w.check(s.Refuse(ctx, ticket.ID, "assent", "a rule denies it"))
		w.check(s.Comment(ctx, ticket.ID, "dan", "pity"))
	})
	w.run(0, "sessions", "show", ticket.ID)
	state, _, _ := strings.Cut(w.out[strings.Index(w.out, "refused"):], "\n")
	if !strings.Contains(state, "a rule denies it") {
		t.Error(w.out)
	}
}

// A yes at a server that is one of several is told as such, and whoever cannot approve a call is
// told so before a word is asked for.
func TestA4_OneOfSeveralAtAServer(t *testing.T) {
	const id = "abcdefghjkmn"
	seen := `{"id":"` + id + `","state":"pending","sentence":"Run deploy","digest":"sha256:1","terms":{"approvers":3,"reason":true}`
	before, after := seen+`,"may_answer":true}`, seen+`,"votes":[{"by":"ben","digest":"sha256:1","same":true},{"by":"cleo","digest":"sha256:2"},{"by":"dan","digest":"sha256:1","same":true}]}`
	asked := ""
	server := httptest.NewServer(knowing(strings.Repeat("t", 40), func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.Method == http.MethodPost {
			body, _ := io.ReadAll(r.Body)
			asked = string(body)
			_, _ = io.WriteString(w, after)
			return
		}
		_, _ = io.WriteString(w, before)
	}))
	defer server.Close()
	w := newCounter(t)
	token := filepath.Join(w.home, "token")
	w.check(os.WriteFile(token, []byte(strings.Repeat("t", 40)), 0o600))
	w.run(0, "approve", id, "--server", server.URL, "--token-file", token, "--reason", "looked")
	w.says("noted the yes of dan to "+id+": Run deploy", "2 of 3 people have approved; it waits for the others", "!approved "+id)
	if !strings.Contains(asked, "looked") {
		t.Error(asked)
	}
	asked = ""
	before = seen + `,"may_answer":false,"may_not_why":"you wanted it yourself\u001b[2J","confirm":{"word":"main","why":"it is dangerous"}}`
	w.run(1, "approve", id, "--server", server.URL, "--token-file", token)
	w.says(id+" was not approved: you wanted it yourself", "!dangerous", "!\x1b")
	if asked != "" {
		t.Errorf("it was sent: %s", asked)
	}
}

// knowing is a server that proves that it knows a token, and answers everything else as it is told.
func knowing(token string, rest http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != proof.At {
			rest(w, r)
			return
		}
		var q proof.Question
		body, _ := io.ReadAll(r.Body)
		_ = strictjson.Unmarshal(body, &q)
		digest := proof.Digest(token)
		text, _ := strictjson.Marshal(q.Prove(digest[:], r.Host))
		_, _ = w.Write(text)
	})
}

// Whoever has taken the port of a server is told nothing, and the person what to look at.
func TestA1_AnotherProgramAtThePort(t *testing.T) {
	const id = "abcdefghjkmn"
	var heard strings.Builder
	server := httptest.NewServer(knowing("another token", func(_ http.ResponseWriter, r *http.Request) { _ = r.Header.Write(&heard) }))
	defer server.Close()
	w := newCounter(t)
	token := filepath.Join(w.home, "token")
	w.check(os.WriteFile(token, []byte(strings.Repeat("t", 40)), 0o600))
	for _, args := range [][]string{{"inbox", "--once"}, {"approve", id}, {"deny", id, "--reason", "no"}, {"sessions", "resolve", id, "--ran"}} {
		w.run(2, append(args, "--server", server.URL, "--token-file", token)...)
		w.says("the token was not sent", "another program has taken the port")
	}
	if heard.Len() > 0 {
		t.Error(heard.String())
	}
}
