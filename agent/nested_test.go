package agent_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
)

// branches is how many sub-agents each agent starts at once.
const branches = 3

// tree is a model for agents in agents: each starts three more at once, those at the
// deepest place run a command that nobody has allowed. An agent is told in its prompt
// where it stands: "0.2.1".
type tree struct{}

func (tree) Name() string { return "tree" }

func (tree) Ask(ctx context.Context, r model.Request, _ func(model.Event)) (model.Turn, error) {
	if ctx.Err() != nil {
		return model.Turn{}, ctx.Err()
	}
	place := strings.TrimSpace(r.Messages[0].Content[0].Text)
	turn := model.Turn{ID: "msg", Model: r.Model, StopReason: "end_turn"}
	switch {
	case len(r.Messages) > 1: // the results are there: pass on what they say
		var heard []string
		for _, b := range r.Messages[2].Content {
			heard = append(heard, said(b))
		}
		turn.Content = []model.Block{model.TextBlock(strings.Join(heard, " "))}
	case strings.Count(place, ".") == 3:
		turn.StopReason = "tool_use"
		turn.Content = []model.Block{use("run-"+place, "Bash", fmt.Sprintf(`{"command":"make %s"}`, place))}
	default:
		turn.StopReason = "tool_use"
		for i := range branches {
			next := fmt.Sprintf("%s.%d", place, i)
			turn.Content = append(turn.Content, use("task-"+next, "Task", fmt.Sprintf(`{"description":"d","prompt":%q}`, next)))
		}
	}
	return turn, nil
}

// leaves are all the questions that a tree asks.
const leaves = branches * branches * branches

// registrar counts what was asked about each call, by whom, and how it was answered.
type registrar struct {
	mu     sync.Mutex
	asked  map[string]int
	agents map[string]bool
	allow  map[string]bool
	decide func(ctx context.Context, n int) (permission.Behavior, error)
}

func newRegistrar() *registrar {
	return &registrar{asked: map[string]int{}, agents: map[string]bool{}, allow: map[string]bool{}}
}

func (*registrar) Name() string { return "registrar" }

func (r *registrar) Ask(ctx context.Context, q agent.Question) (permission.Answer, error) {
	r.mu.Lock()
	r.asked[q.ToolUseID]++
	r.agents[q.AgentID] = true
	n := len(r.asked)
	r.mu.Unlock()
	behavior, err := r.decide(ctx, n)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.allow[q.ToolUseID] = err == nil && behavior == permission.Allow
	return permission.Answer{Behavior: behavior, Message: "no to " + q.ToolUseID}, err
}

// Three deep and three wide, all at once: 27 questions at the same time, each of them
// asked once, and each answer reaches the agent that has asked.
func TestS10_QuestionsOfNestedAgentsAreAnsweredOnceEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegistrar()
		everybody := make(chan struct{})
		r.decide = func(_ context.Context, n int) (permission.Behavior, error) {
			if n == leaves {
				close(everybody)
			}
			<-everybody // all of them wait at the same time
			if n%2 == 0 {
				return permission.Deny, nil
			}
			return permission.Allow, nil
		}
		w := newWorld(t, config{asker: r, change: func(c *agent.Config) { c.Provider = tree{} }})
		result := w.prompt("0")
		if result.IsError || len(r.asked) != leaves || len(r.agents) != leaves {
			t.Fatalf("%d calls were asked about, by %d agents: %+v", len(r.asked), len(r.agents), result)
		}
		ran := strings.Join(w.tools.list(), "\n")
		for id, times := range r.asked {
			place := strings.TrimPrefix(id, "run-")
			switch {
			case times != 1:
				t.Errorf("%s was asked about %d times", id, times)
			case strings.Count(ran, "make "+place+`"`) != map[bool]int{true: 1}[r.allow[id]]:
				t.Errorf("%s was allowed: %v, and this ran:\n%s", id, r.allow[id], ran)
			case r.allow[id] != strings.Contains(result.Text, "done: "+id) || r.allow[id] == strings.Contains(result.Text, "no to "+id):
				t.Errorf("%s was allowed: %v, and the agents say %s", id, r.allow[id], result.Text)
			}
		}
		if len(result.Denials) != leaves/2 {
			t.Errorf("%d denials", len(result.Denials))
		}
	})
}

// Interrupted while questions of all agents are open: none of them is answered for the
// person, nothing more runs, and every call is on record.
func TestS10_NestedAgentsAreInterrupted(t *testing.T) {
	for _, answered := range []int{0, 1, 10, leaves - 1} {
		t.Run(fmt.Sprint(answered), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRegistrar()
				var w *world
				r.decide = func(ctx context.Context, n int) (permission.Behavior, error) {
					if n <= answered {
						return permission.Allow, nil
					}
					if n == leaves {
						synctest.Wait() // those that were allowed have run
						w.agent.Interrupt()
					}
					<-ctx.Done()
					return permission.Allow, nil // too late
				}
				w = newWorld(t, config{asker: r, change: func(c *agent.Config) { c.Provider = tree{} }})
				result := w.prompt("0")
				if !result.IsError || result.Subtype != "error_during_execution" {
					t.Errorf("%+v", result)
				}
				if ran := w.tools.list(); len(ran) != answered {
					t.Errorf("%d were answered, and this ran: %q", answered, ran)
				}
				decided := map[string]int{}
				for _, record := range w.audit.records {
					decided[record.ToolUseID]++
				}
				for id, times := range r.asked {
					if times != 1 || decided[id] != 1 {
						t.Errorf("%s: asked %d times, %d decisions on record", id, times, decided[id])
					}
				}
			})
		})
	}
}

// What is on record of a conversation after an interrupt can be gone on with: every call
// has a result.
func TestS10_AfterAnInterruptTheConversationIsWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegistrar()
		var w *world
		r.decide = func(ctx context.Context, n int) (permission.Behavior, error) {
			if n == leaves {
				w.agent.Interrupt()
			}
			<-ctx.Done()
			return permission.Deny, ctx.Err()
		}
		w = newWorld(t, config{asker: r, change: func(c *agent.Config) { c.Provider = tree{} }})
		w.prompt("0")
		conversation, err := w.transcript.Conversation()
		if err != nil {
			t.Fatal(err)
		}
		open := map[string]bool{}
		for _, m := range conversation.Messages {
			for _, b := range m.Content {
				switch b.Kind {
				case model.ToolUse:
					open[b.ID] = true
				case model.ToolResult:
					delete(open, b.ToolUseID)
				}
			}
		}
		if len(open) > 0 {
			text, _ := strictjson.Marshal(conversation.Messages)
			t.Errorf("without a result: %v\n%s", open, text)
		}
	})
}
