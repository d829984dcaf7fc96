package terminal

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/assent-dev/assent/mcp"
)

const deploySchema = `{"type":"object","required":["env","count"],"properties":{
 "env":{"type":"string","title":"Environment","enum":["dev","prod\u001b"]},
 "count":{"type":"integer","minimum":1,"maximum":9,"default":2},
 "note":{"type":"string","description":"Anything to add?"},
 "sure":{"type":"boolean"},
 "tags":{"type":"array","items":{"type":"string","enum":["a","b"]}}}}`

func TestElicit(t *testing.T) {
	form, err := mcp.ReadForm([]byte(deploySchema))
	if err != nil {
		t.Fatal(err)
	}
	deploy := mcp.Elicitation{Server: "ops", Message: "Where to?", Form: form}
	page := mcp.Elicitation{Server: "ops\x1b", Message: "Log in.", URL: "https://example.com/login"}
	tests := []struct {
		name    string
		q       mcp.Elicitation
		typed   []string
		want    mcp.Action
		content string
	}{
		{"all", deploy, []string{"2", "3", "n", "y", "1 2", "y"}, mcp.Accept, `{"count":3,"env":"prod\u001b","note":"n","sure":true,"tags":["a","b"]}`},
		{"only what is required", deploy, []string{"", "dev", "1", "", "99", "x", "/default", "", "", "", "y"}, mcp.Accept, `{"count":2,"env":"dev"}`},
		{"declined on the way", deploy, []string{"1", "/decline"}, mcp.Decline, ""},
		{"cancelled on the way", deploy, []string{"/cancel"}, mcp.Dismiss, ""},
		{"declined at the end", deploy, []string{"1", "2", "", "", "", "", "n"}, mcp.Decline, ""},
		{"the input ends", deploy, []string{"1"}, mcp.Dismiss, ""},
		{"a page", page, []string{"", "ok", "y"}, mcp.Accept, ""},
		{"a page that nobody opens", page, []string{"c"}, mcp.Dismiss, ""},
		{"yes or no", mcp.Elicitation{Server: "ops", Message: "Really?"}, []string{"y"}, mcp.Accept, "{}"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newScreen(72, test.typed...)
			got, err := newTerminal(s, false).Asker(in("/proj", "/home/dev")).Elicit(t.Context(), test.q)
			if err != nil || got.Action != test.want || string(got.Content) != test.content || len(s.typed) > 0 {
				t.Errorf("%v %s, %v\n%s", got.Action, got.Content, err, s.text())
			}
			if test.name == "all" || test.name == "a page" {
				golden(t, "elicit-"+strings.ReplaceAll(test.name, " ", "-"), s.text())
			}
		})
	}
}

func TestElicitThatNobodyWaitsFor(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newScreen(72, hold)
	done := make(chan error)
	go func() {
		got, err := newTerminal(s, false).Asker(in("/proj", "/home/dev")).Elicit(ctx, mcp.Elicitation{Server: "ops", Message: "Really?"})
		if got.Action == mcp.Accept {
			t.Error("accepted")
		}
		done <- err
	}()
	<-s.holding
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
