package mcp_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/tool"
)

// person answers the questions of servers, and notes what they were.
type person struct {
	answer mcp.Answer
	// slow: they think until nobody wants to know any more.
	slow bool

	mu    sync.Mutex
	asked []mcp.Elicitation
	left  int // questions that were withdrawn
}

func (p *person) elicit(ctx context.Context, q mcp.Elicitation) (mcp.Answer, error) {
	p.mu.Lock()
	p.asked = append(p.asked, q)
	p.mu.Unlock()
	if p.slow {
		<-ctx.Done()
		p.mu.Lock()
		p.left++
		p.mu.Unlock()
	}
	return p.answer, nil
}

// ask lets the server in the host send a question while it works on a call, and returns
// what it is answered.
func ask(t *testing.T, h *host, set *mcp.Set, params string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		run(ctx, find(t, set, "mcp__pay__wait"), `{"n":1}`)
	}()
	synctest.Wait()
	h.answers = nil
	if err := set.Deliver(t.Context(), "pay", []byte(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":`+params+`}`)); err != nil {
		t.Error(err)
	}
	synctest.Wait()
	cancel()
	<-done
	synctest.Wait()
	return strings.Join(h.answers, "")
}

func TestElicitation_TheAnswerIsWhatTheFormWants(t *testing.T) {
	const form = `{"message":"how much?","requestedSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}`
	for name, tt := range map[string]struct {
		answer mcp.Answer
		sent   string
		warned string
	}{
		"a number":       {mcp.Answer{Action: mcp.Accept, Content: []byte(`{"n":7}`)}, `{"action":"accept","content":{"n":7}}`, ""},
		"no":             {mcp.Answer{}, `{"action":"decline"}`, ""},
		"no, with more":  {mcp.Answer{Content: []byte(`{"n":7}`)}, `{"action":"decline"}`, ""},
		"nothing":        {mcp.Answer{Action: mcp.Dismiss}, `{"action":"cancel"}`, ""},
		"a text":         {mcp.Answer{Action: mcp.Accept, Content: []byte(`{"n":"7"}`)}, `{"action":"cancel"}`, "want a number"},
		"too much":       {mcp.Answer{Action: mcp.Accept, Content: []byte(`{"n":7,"password":"x"}`)}, `{"action":"cancel"}`, `no field \"password\"`},
		"an empty yes":   {mcp.Answer{Action: mcp.Accept}, `{"action":"cancel"}`, "is missing"},
		"no JSON":        {mcp.Answer{Action: mcp.Accept, Content: []byte(`{`)}, `{"action":"cancel"}`, "form wants"},
		"unknown action": {mcp.Answer{Action: 9, Content: []byte(`{"n":7}`)}, `{"action":"decline"}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, h := &person{answer: tt.answer}, newHost(t, "pay")
				var warned []string
				set := openInHost(t, h, mcp.Options{Elicit: p.elicit, Warn: func(text string) { warned = append(warned, text) }}, "pay")
				if got := ask(t, h, set, form); !strings.Contains(got, `"result":`+tt.sent) || len(p.asked) != 1 {
					t.Errorf("%d asked, sent %s", len(p.asked), got)
				}
				if q := p.asked[0]; q.Server != "pay" || q.Message != "how much?" || len(q.Form.Fields) != 1 || !strings.Contains(string(q.Schema), `"integer"`) {
					t.Errorf("asked %+v", q)
				}
				said := strings.Join(warned, "\n")
				if (said == "") != (tt.warned == "") || !strings.Contains(fmt.Sprintf("%q", said), tt.warned) {
					t.Errorf("warned %q", said)
				}
			})
		})
	}
}

// Where nothing has to be filled in, yes is an answer.
func TestElicitation_AnEmptyYes(t *testing.T) {
	for _, properties := range []string{``, `"note":{"type":"string"}`} {
		for _, content := range []string{``, `null`, `{}`} {
			synctest.Test(t, func(t *testing.T) {
				p, h := &person{answer: mcp.Answer{Action: mcp.Accept, Content: []byte(content)}}, newHost(t, "pay")
				set := openInHost(t, h, mcp.Options{Elicit: p.elicit, Warn: func(text string) { t.Error(text) }}, "pay")
				if got := ask(t, h, set, `{"message":"sure?","requestedSchema":{"type":"object","properties":{`+properties+`}}}`); !strings.Contains(got, `"action":"accept"`) {
					t.Errorf("%q: sent %s", content, got)
				}
			})
		}
	}
}

// What no person could be shown does not reach one.
func TestElicitation_WhatCannotBeAskedIsNot(t *testing.T) {
	for name, params := range map[string]string{
		"nested":          `{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string"}}}}}}`,
		"a list":          `{"message":"m","requestedSchema":{"type":"array"}}`,
		"long":            `{"message":"` + strings.Repeat("x", 17<<10) + `"}`,
		"file":            `{"message":"m","mode":"url","url":"file:///etc/passwd","elicitationId":"1"}`,
		"script":          `{"message":"m","mode":"url","url":"javascript:alert(1)","elicitationId":"1"}`,
		"http":            `{"message":"m","mode":"url","url":"http://bank.example/","elicitationId":"1"}`,
		"http, here":      `{"message":"m","mode":"url","url":"http://localhost:8080/","elicitationId":"1"}`,
		"user":            `{"message":"m","mode":"url","url":"https://bank.example@evil.example/","elicitationId":"1"}`,
		"unknown mode":    `{"message":"m","mode":"voice"}`,
		"url and form":    `{"message":"m","mode":"url","url":"https://x/","elicitationId":"1","requestedSchema":{"type":"object"}}`,
		"required absent": `{"message":"m","requestedSchema":{"type":"object","required":["a"],"properties":{}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, h := &person{answer: mcp.Answer{Action: mcp.Accept}}, newHost(t, "pay")
				set := openInHost(t, h, mcp.Options{Elicit: p.elicit}, "pay")
				if got := ask(t, h, set, params); len(p.asked) != 0 || !strings.Contains(got, `"error"`) {
					t.Errorf("asked %+v, sent %s", p.asked, got)
				}
			})
		})
	}
}

func TestElicitation_APageIsForThePersonToOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, h := &person{answer: mcp.Answer{Action: mcp.Accept, Content: []byte(`{"secret":1}`)}}, newHost(t, "pay")
		set := openInHost(t, h, mcp.Options{Elicit: p.elicit}, "pay")
		got := ask(t, h, set, `{"message":"log in","mode":"url","url":"https://login.example/x","elicitationId":"e1"}`)
		if !strings.Contains(got, `"result":{"action":"accept"}`) {
			t.Errorf("sent %s", got)
		}
		if len(p.asked) != 1 || p.asked[0].URL != "https://login.example/x" || p.asked[0].ID != "e1" || p.asked[0].Schema != nil {
			t.Errorf("asked %+v", p.asked)
		}
	})
}

// A server that nobody has asked for anything does not get to speak to a person, and one
// that asks too much at once is not heard.
func TestElicitation_OnlyDuringACallAndNotTooMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, h := &person{slow: true}, newHost(t, "pay")
		set := openInHost(t, h, mcp.Options{Elicit: p.elicit}, "pay")
		question := func(id int) {
			text := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":"m"}}`, id)
			if err := set.Deliver(t.Context(), "pay", []byte(text)); err != nil {
				t.Error(err)
			}
			synctest.Wait()
		}
		question(1)
		if len(p.asked) != 0 || len(h.answers) != 1 || !strings.Contains(h.answers[0], `"cancel"`) {
			t.Errorf("asked %+v, answered %s", p.asked, h.answers)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var got tool.Result
		done := make(chan struct{})
		go func() {
			defer close(done)
			got = run(ctx, find(t, set, "mcp__pay__wait"), `{"n":1}`)
		}()
		synctest.Wait()
		for id := range 20 {
			question(10 + id)
		}
		if len(p.asked) > 4 || len(p.asked) == 0 || p.left != 0 {
			t.Errorf("%d asked, %d withdrawn", len(p.asked), p.left)
		}
		cancel() // the call is interrupted: nobody needs to answer any more
		<-done
		synctest.Wait()
		want(t, got, tool.Interrupted)
		if p.left != len(p.asked) {
			t.Errorf("%d asked, %d withdrawn", len(p.asked), p.left)
		}
		for _, answer := range h.answers {
			if !strings.Contains(answer, `"cancel"`) {
				t.Errorf("answered %s", answer)
			}
		}
	})
}

// A server that takes its question back, or ends, leaves no question behind.
func TestElicitation_AQuestionEndsWithItsServer(t *testing.T) {
	for name, end := range map[string]func(*mcp.Set){
		"taken back": func(set *mcp.Set) {
			_ = set.Deliver(context.Background(), "pay", []byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q"}}`))
		},
		"ended": func(set *mcp.Set) { set.Close(context.Background()) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, h := &person{slow: true}, newHost(t, "pay")
				set := openInHost(t, h, mcp.Options{Elicit: p.elicit}, "pay")
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan struct{})
				go func() {
					defer close(done)
					run(ctx, find(t, set, "mcp__pay__wait"), `{"n":1}`)
				}()
				synctest.Wait()
				if err := set.Deliver(t.Context(), "pay", []byte(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"m"}}`)); err != nil {
					t.Error(err)
				}
				synctest.Wait()
				if len(p.asked) != 1 || p.left != 0 {
					t.Fatalf("%d asked, %d withdrawn", len(p.asked), p.left)
				}
				end(set)
				synctest.Wait()
				if p.left != 1 {
					t.Error("the question is still open")
				}
				cancel()
				<-done
				synctest.Wait()
			})
		})
	}
}
