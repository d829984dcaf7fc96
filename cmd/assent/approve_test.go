package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/session"
)

// answerOf is what somebody has said about a call.
func (w *counterTest) answerOf(id, toolUseID string) *approval.Answer {
	w.t.Helper()
	var answer *approval.Answer
	w.tickets(func(ctx context.Context, s *approval.Store) {
		t, err := s.OfCall(ctx, id, toolUseID)
		w.check(err)
		answer = t.Answer
	})
	return answer
}

func (w *counterTest) settings(text string) {
	w.t.Helper()
	w.check(os.WriteFile(filepath.Join(w.home, ".claude", "settings.json"), []byte(text), 0o600))
}

func TestA3_ApproveAndDeny(t *testing.T) {
	w := newCounter(t)
	call := w.bash("a", "deploy")
	w.park(firstID, call)
	w.run(0, "approve", firstID, "--reason", "as agreed")
	w.says("approved ", "Bash deploy", mustDigest(t, callIn(firstID, call)), "assent -p --resume "+firstID, "by "+whoami())
	a := w.answerOf(firstID, "a")
	if a == nil || a.By != whoami() || a.Message != "as agreed" || a.Input != nil {
		t.Errorf("%+v", a)
	}
	w.run(1, "approve", firstID)
	w.says("is approved: " + whoami() + " has said allow at ")
	w.run(0, "deny", firstID, "--reason", "on second thoughts")
	if got := w.stateOf(firstID, "a"); got != "denied" {
		t.Errorf("the ticket is %s", got)
	}
	w.run(1, "deny", firstID, "--reason", "again")
	w.run(1, "approve", firstID)
	w.run(0, "sessions", "show", firstID)
	w.says("denied by "+whoami()+": on second thoughts", "History", "as agreed")

	w.run(2, "deny", firstID)
	w.run(2, "deny", firstID, "--reason", " ")
	w.run(2, "approve")
	w.run(2, "approve", "")
	w.run(2, "approve", "zz")
	w.says(`there is no session or ticket "zz"`)
	w.park(secondID)
	w.run(1, "approve", secondID)
	w.says("no call of session " + secondID + " waits for an answer")
}

func TestA3_OneOfSeveral(t *testing.T) {
	w := newCounter(t)
	w.park(firstID, w.bash("a", "deploy"), w.bash("b", "refund"))
	w.run(2, "approve", firstID)
	w.says("2 calls of session "+firstID+" wait for an answer: name one of them: ", "(Bash deploy)", "(Bash refund)")
	_, rest, _ := strings.Cut(w.errText, "name one of them: ")
	name := rest[:12]
	w.run(0, "deny", name[:8], "--reason", "no")
	w.run(0, "approve", firstID) // only one is left
	if a, b := w.stateOf(firstID, "a"), w.stateOf(firstID, "b"); a != "denied" || b != "approved" {
		t.Errorf("%s, %s", a, b)
	}
	w.run(2, "approve", firstID, "--all")
}

func TestS41_AfterItsTimeTheOutcomeHolds(t *testing.T) {
	w := newCounter(t)
	call := w.bash("a", "deploy")
	w.park(firstID, call)
	name := w.ticket(firstID, call, time.Nanosecond)
	w.run(0, "sessions", "list")
	w.says(name+"   expired", "!unknown")
	w.run(1, "approve", name)
	w.says("was over at ", "so deny holds")
	w.run(1, "deny", name, "--reason", "no")
	w.run(0, "sessions", "show", name)
	w.says("expired: nobody has answered in time, so deny holds")
	w.run(0, "sessions", "prune", "--older-than", "0d")
	w.says("kept " + firstID)
}

// An approval is for the call that was shown, and for no other.
func TestS27_ACallThatHasChangedIsRefused(t *testing.T) {
	w := newCounter(t)
	call, other := w.bash("a", "deploy"), w.bash("a", "deploy --prod")
	w.park(firstID, other)
	name := w.ticket(firstID, call, 0)
	for _, args := range [][]string{{"approve", name}, {"approve", firstID}, {"approve", name, "--input", `{"command":"ls"}`}} {
		w.run(1, args...)
		w.says(`the input was {"command":"deploy"} and is {"command":"deploy --prod"} now`, "assent deny "+name)
	}
	w.run(0, "sessions", "show", name)
	w.says("problem", "deploy --prod", "!assent approve", "assent deny "+name)
	if got := w.stateOf(firstID, "a"); got != "pending" {
		t.Errorf("the ticket is %s", got)
	}
}

func TestA3_AnotherInputMustFitToolAndRules(t *testing.T) {
	w := newCounter(t)
	w.settings(`{"permissions": {
  "deny": ["Bash(rm:*)"],
  "ask": ["Bash(git push:*)"]
}}`)
	w.park(firstID, w.bash("a", "deploy"))
	for input, want := range map[string]struct {
		status int
		text   string
	}{
		`{"command": "rm -rf x"}`:          {1, filepath.Join(w.home, ".claude", "settings.json") + ":2"},
		`{"command": "ls; rm x"}`:          {1, "the rule Bash(rm:*)"},
		`{"command": "a", "command": "b"}`: {2, "occurs twice"},
		`{"comand": "ls"}`:                 {2, "does not fit the tool Bash"},
		`{"command": 5}`:                   {2, "does not fit the tool Bash"},
		`[]`:                               {2, "does not fit the tool Bash"},
		`{"command": "ls"} x`:              {2, "--input: "},
		`not json`:                         {2, "--input: "},
		"":                                 {2, "it is empty"},
		`{"command": "ls", "nonsense": "unknown"}`: {2, "does not fit the tool Bash"},
	} {
		w.run(want.status, "approve", firstID, "--input", input)
		w.says(want.text)
		if got := w.stateOf(firstID, "a"); got != "no ticket" {
			t.Errorf("%s: the ticket is %s", input, got)
		}
	}
	w.run(2, "approve", firstID, "--answer", "1=yes")
	w.says("--answer is for questions")
	w.run(0, "approve", firstID, "--input", `{"command": "git push \u0061ll"}`) // what would ask is what the person says
	w.says(`"command": "git push \u0061ll"`, "it runs with this input:")
	a := w.answerOf(firstID, "a")
	changed := callIn(firstID, w.bash("a", "git push all"))
	if a == nil || a.Digest != mustDigest(t, changed) {
		t.Errorf("%+v, want the digest of %s", a, changed.Input)
	}
	w.says(a.Digest)
}

// A rule that denies the call holds, whatever a person says, also when it is new.
func TestS27_ANewDenyHolds(t *testing.T) {
	w := newCounter(t)
	w.park(firstID, w.bash("a", "deploy"))
	w.settings(`{"permissions": {"deny": ["Bash(deploy)"]}}`)
	w.run(1, "approve", firstID)
	w.says("the rule Bash(deploy) (" + filepath.Join(w.home, ".claude", "settings.json") + ":1) denies it")
	w.run(0, "sessions", "show", firstID)
	w.says("deny: ")
	w.settings(`{"permissions": {"deny": ["Bash"]}}`)
	w.run(1, "approve", firstID)
	w.says("was not approved")
	if got := w.stateOf(firstID, "a"); got != "no ticket" {
		t.Errorf("the ticket is %s", got)
	}
	w.run(0, "deny", firstID, "--reason", "no")
}

func TestS27_TheDirectoryMustExist(t *testing.T) {
	w := newCounter(t)
	call := w.bash("a", "deploy")
	call.Cwd = filepath.Join(w.cwd, "gone")
	w.park(firstID, call)
	w.run(2, "approve", firstID)
	w.says("does not exist here", "import --cwd DIR")
	w.run(0, "sessions", "show", firstID)
	w.says("it cannot be judged here")
	w.run(0, "deny", firstID, "--reason", "no")
}

// Nobody can tell what a tool of the agent's own takes; whether it exists the agent knows.
func TestD9_AToolThatIsNotKnownHere(t *testing.T) {
	w := newCounter(t)
	w.park(firstID, session.PendingCall{ToolUseID: "a", Tool: "mcp__pay__refund", Input: strictjson.Raw(`{"order":17}`), Cwd: w.cwd, Risk: "medium"})
	w.park(secondID, session.PendingCall{ToolUseID: "a", Tool: "Nope", Input: strictjson.Raw(`{}`), Cwd: w.cwd, Risk: "medium"})
	w.run(0, "approve", firstID, "--input", `{"order":18}`)
	w.run(2, "approve", secondID, "--input", `{"order":18}`)
	w.run(0, "approve", secondID)
}

func questions(t *testing.T, cwd string) session.PendingCall {
	t.Helper()
	return session.PendingCall{ToolUseID: "a", Tool: "AskUserQuestion", Cwd: cwd, Risk: "medium", Input: strictjson.Raw(`{"questions":[
		{"question":"Which region?","header":"Region","options":[{"label":"eu-west","description":"d"},{"label":"us","description":"d"}]},
		{"question":"a=b","header":"Days","options":[{"label":"Mon","description":"d"},{"label":"Tue","description":"d"},{"label":"tue","description":"d"}],"multiSelect":true}]}`)}
}

func TestD5_AnswersToQuestions(t *testing.T) {
	for _, c := range []struct {
		answers []string
		want    string // the answers, or the end of an error
		status  int
	}{
		{[]string{"1=us", "2=Mon"}, `{"Which region?":"us","a=b":"Mon"}`, 0},
		{[]string{"Which region?=EU-West", "a=b=Mon, Tue"}, `{"Which region?":"eu-west","a=b":"Mon, Tue"}`, 0},
		{[]string{"1=the moon, please", "2=never, Mon"}, `{"Which region?":"the moon, please","a=b":"never, Mon"}`, 0},
		{[]string{"1=us", "2=Mon", "2=tue", "2=Mon"}, `{"Which region?":"us","a=b":"Mon, tue"}`, 0},
		{[]string{"1=us", "2=TUE"}, `{"Which region?":"us","a=b":"TUE"}`, 0}, // two options are near, so it is neither
		{[]string{"1=us", "1=us", "2=Mon"}, `{"Which region?":"us","a=b":"Mon"}`, 0},
		{[]string{"1=x=y", "2=Mon"}, `{"Which region?":"x=y","a=b":"Mon"}`, 0},
		{nil, "Which region? (one of: eu-west, us); 2. a=b (some of: Mon, Tue, tue)", 2},
		{[]string{"1=us"}, `there is none to 2. "a=b"`, 2},
		{[]string{"1=us", "1=eu-west", "2=Mon"}, "one answer is wanted", 2},
		{[]string{"1=", "2=Mon"}, "is empty", 2},
		{[]string{"1= ", "2=Mon"}, "is empty", 2},
		{[]string{"0=us"}, "want QUESTION=ANSWER", 2},
		{[]string{"3=us"}, "want QUESTION=ANSWER", 2},
		{[]string{"us"}, "want QUESTION=ANSWER", 2},
		{[]string{"which region?=us"}, "want QUESTION=ANSWER", 2},
		{[]string{"1=\xff", "2=Mon"}, "not valid UTF-8", 2},
	} {
		t.Run(fmt.Sprint(c.answers), func(t *testing.T) {
			w := newCounter(t)
			call := questions(t, w.cwd)
			w.park(firstID, call)
			args := []string{"approve", firstID}
			for _, a := range c.answers {
				args = append(args, "--answer", a)
			}
			w.run(c.status, args...)
			if c.status != 0 {
				w.says(c.want)
				if got := w.stateOf(firstID, "a"); got != "no ticket" {
					t.Errorf("the ticket is %s", got)
				}
				return
			}
			var in struct {
				Questions strictjson.Raw `json:"questions"`
				Answers   strictjson.Raw `json:"answers"`
			}
			w.check(strictjson.Unmarshal(w.answerOf(firstID, "a").Input, &in))
			if in.Answers.String() != c.want || len(in.Questions) == 0 {
				t.Errorf("%s, want %s", in.Answers, c.want)
			}
		})
	}
}

// The input can hold the answers as well, and then all of them.
func TestD5_AnswersInTheInput(t *testing.T) {
	w := newCounter(t)
	call := questions(t, w.cwd)
	w.park(firstID, call)
	with := func(answers string) string {
		return strings.TrimSuffix(string(call.Input), "}") + `,"answers":` + answers + "}"
	}
	w.run(2, "approve", firstID, "--input", string(call.Input))
	w.says("every question needs an answer")
	w.run(2, "approve", firstID, "--input", with(`{"Which region?":"us"}`))
	w.run(2, "approve", firstID, "--input", with(`{"Which region?":"us"}`), "--answer", "2=Mon")
	w.run(0, "approve", firstID, "--input", with(`{"Which region?":"us","a=b":"Mon"}`))
	// Two questions that nobody can tell apart.
	twice := questions(t, w.cwd)
	twice.Input = strictjson.Raw(strings.Replace(string(twice.Input), "a=b", "Which region?", 1))
	w.park(secondID, twice)
	w.run(2, "approve", secondID, "--answer", "1=us", "--answer", "2=us")
	w.says("two questions have the same text")
}

// Many answer at once: one of them does, and the others are told who.
func TestA2_ManyAnswerAtOnce(t *testing.T) {
	w := newCounter(t)
	call := w.bash("a", "deploy")
	w.park(firstID, call)
	var mu sync.Mutex
	count := map[int]int{}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			args := []string{"approve", firstID}
			if i%2 == 1 {
				args = []string{"deny", firstID, "--reason", "no"}
			}
			var out, errOut strings.Builder
			status := run(args, strings.NewReader(""), &out, &errOut)
			mu.Lock()
			defer mu.Unlock()
			count[status]++
			if status > 1 {
				t.Errorf("%q: %s", args, errOut.String())
			}
		})
	}
	all.Wait()
	if got := w.stateOf(firstID, "a"); got != "denied" || count[0] < 1 || count[0] > 2 { // one yes, which a no may follow
		t.Errorf("the ticket is %s, %v", got, count)
	}
}

func TestWhoAnswersIsNotSaidByTheEnvironment(t *testing.T) {
	want := whoami()
	for _, name := range []string{"USER", "LOGNAME", "USERNAME", "HOSTNAME"} {
		t.Setenv(name, "mallory")
	}
	if got := whoami(); got != want || strings.Contains(got, "mallory") || !strings.Contains(got, "@") {
		t.Errorf("%s, and %s with another environment", want, got)
	}
}

func TestHowLong(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0 s", 90 * time.Second: "90 s", 2 * time.Minute: "2 min", 119 * time.Minute: "119 min", 2 * time.Hour: "2 h", 47 * time.Hour: "47 h", 49 * time.Hour: "2 d",
	} {
		if got := roughly(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0 bytes", 1: "1 byte", 999: "999 bytes", 1500: "1.5 kB", 2_000_000: "2.0 MB"} {
		if got := size(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
