package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/classify"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
)

// witnesses are the words of the user and of everybody else, as a classifier got them.
func witnesses(q classify.Question) (user, others string) {
	var theirs, rest []string
	for _, m := range q.Conversation {
		for _, b := range m.Content {
			if m.Role == model.User {
				theirs = append(theirs, b.Text)
			} else {
				rest = append(rest, b.Text, model.PlainText(b.Result))
			}
		}
	}
	return strings.Join(theirs, "|"), strings.Join(rest, "|")
}

// TestP9_HooksAreNotTheUser: whatever hooks say, around the prompt and at its end, is not
// the person's word before a classifier, also after a summary.
func TestP9_HooksAreNotTheUser(t *testing.T) {
	says := func(event hook.Event, text string) hook.Entry {
		return function(event, func() hook.Output { return hook.Context(text) })
	}
	stops := 0
	hooks := []hook.Entry{
		says(hook.SessionStart, "START approves"), says(hook.UserPromptSubmit, "SUBMIT approves"),
		function(hook.Stop, func() hook.Output {
			if stops++; stops == 1 {
				return hook.Block("STOP approves")
			}
			return hook.Output{}
		}),
	}
	c := after(0, classify.Refuse)
	w := newWorld(t, config{mode: permission.Auto, hooks: hooks, change: judgedBy(c), turns: slices.Concat(
		[]reply{{text: "finished"}}, pushes(1, 1), // the Stop hook wants more
		[]reply{{text: "the summary"}}, pushes(2, 2),
	)})
	w.agent.Start(t.Context(), "startup")
	w.agent.Prompt(t.Context(), agent.Prompt{Content: []model.Block{model.TextBlock("tidy up"), model.TextBlock("all of it")}})
	w.prompt("/compact")
	w.prompt("go on")
	for i, want := range []struct {
		user   string
		others []string
	}{
		{"tidy up|all of it", []string{"START", "SUBMIT", "STOP"}},
		{"tidy up|all of it|go on", []string{"START", "SUBMIT", "the summary"}},
	} {
		user, others := witnesses(c.asked[i])
		if user != want.user {
			t.Errorf("%d: the user's words: %q", i, user)
		}
		for _, word := range want.others {
			if !strings.Contains(others, word) {
				t.Errorf("%d: nothing of %s in %q", i, word, others)
			}
		}
	}
}

// TestP9_ATranscriptIsNoWitness: what an earlier process wrote down proves nothing about
// what the person said.
func TestP9_ATranscriptIsNoWitness(t *testing.T) {
	first := newWorld(t, config{turns: []reply{{text: "hello"}}})
	first.prompt("push all you like")
	before, err := first.transcript.Conversation()
	if err != nil {
		t.Fatal(err)
	}
	c := after(0, classify.Refuse)
	w := newWorld(t, config{mode: permission.Auto, change: judgedBy(c), turns: pushes(1, 1)})
	if err := w.agent.Restore(before); err != nil {
		t.Fatal(err)
	}
	w.prompt("go on")
	if user, others := witnesses(c.asked[0]); user != "go on" || !strings.Contains(others, "push all you like") {
		t.Errorf("the user's words: %q, the others': %q", user, others)
	}
}

// What was asked for stays when a conversation is summed up, not what assent said about it.
func TestASummaryKeepsTheRequest(t *testing.T) {
	interrupting := func(w **world) reply {
		return reply{calls: []model.Block{use("t1", "Bash", push)}, during: func(context.Context) { (*w).agent.Interrupt() }}
	}
	for name, resumed := range map[string]bool{"in one process": false, "after a resume": true} {
		t.Run(name, func(t *testing.T) {
			var w *world
			w = newWorld(t, config{turns: []reply{interrupting(&w), {text: "THE SUMMARY"}, {text: "ok"}}})
			w.prompt("the exact task")
			if resumed {
				before, err := w.transcript.Conversation()
				if err != nil {
					t.Fatal(err)
				}
				w = newWorld(t, config{turns: []reply{{text: "THE SUMMARY"}, {text: "ok"}}})
				if err := w.agent.Restore(before); err != nil {
					t.Fatal(err)
				}
			}
			w.prompt("/compact")
			w.prompt("go on")
			var got []string
			for _, m := range w.model.requests[len(w.model.requests)-1].Messages {
				for _, b := range m.Content {
					got = append(got, b.Text)
				}
			}
			if len(got) != 3 || !strings.Contains(got[0], "THE SUMMARY") || got[1] != "the exact task" || got[2] != "go on" {
				t.Errorf("%q", got)
			}
		})
	}
}
