package agent_test

import (
	"io"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/wire"
)

// answering is a host that answers its first request with this, and what it was asked.
func answering(t *testing.T, response string) (*wire.Host, <-chan string) {
	t.Helper()
	in, hostWrites := io.Pipe()
	hostReads, toHost := io.Pipe()
	out := wire.NewOutput(toHost, "s", wire.StreamJSON, true)
	host := wire.NewHost(out, func(wire.Request) (any, error) { return nil, nil })
	served, asked := make(chan struct{}), make(chan string, 1)
	go func() {
		defer close(served)
		_ = host.Serve(in)
	}()
	go func() {
		for line, err := range strictjson.Lines(hostReads, 1<<20) {
			var m struct {
				ID      string         `json:"request_id"`
				Request strictjson.Raw `json:"request"`
			}
			if err != nil || strictjson.Unmarshal(line.Data, &m) != nil {
				return
			}
			asked <- string(m.Request)
			_, _ = io.WriteString(hostWrites, `{"type":"control_response","response":{"subtype":"success","request_id":"`+m.ID+`","response":`+response+"}}\n")
		}
	}()
	t.Cleanup(func() {
		_ = hostWrites.Close()
		<-served
		_ = out.Close()
		_ = toHost.Close()
	})
	return host, asked
}

func TestAHostAnswersTheQuestionsOfServers(t *testing.T) {
	form := mcp.Elicitation{Server: "pay", Message: "m", Schema: []byte(`{"type":"object"}`)}
	page := mcp.Elicitation{Server: "pay", Message: "m", URL: "https://x/", ID: "e"}
	for _, tt := range []struct {
		question mcp.Elicitation
		response string
		want     mcp.Action
		content  string
		asked    string
	}{
		{form, `{"action":"accept","content":{"n":1}}`, mcp.Accept, `{"n":1}`, `"mode":"form","requested_schema":{"type":"object"}`},
		{form, `{"action":"decline","content":{"n":1}}`, mcp.Decline, "", `"mcp_server_name":"pay"`},
		{form, `{"action":"cancel"}`, mcp.Dismiss, "", `"subtype":"elicitation"`},
		{page, `{"action":"accept"}`, mcp.Accept, "", `"mode":"url","url":"https://x/","elicitation_id":"e"`},
	} {
		host, asked := answering(t, tt.response)
		answer, err := agent.HostElicitor{Host: host, Listens: func() bool { return true }}.Elicit(t.Context(), tt.question)
		if err != nil || answer.Action != tt.want || string(answer.Content) != tt.content {
			t.Errorf("%s: %+v, %v", tt.response, answer, err)
		}
		if got := <-asked; !strings.Contains(got, tt.asked) {
			t.Errorf("asked %s", got)
		}
	}
	host, _ := answering(t, `{"action":"perhaps"}`)
	if answer, err := (agent.HostElicitor{Host: host}).Elicit(t.Context(), form); err == nil || answer.Action == mcp.Accept {
		t.Errorf("%+v, %v", answer, err)
	}
}

// A host that only sends prompts is not asked what it would never answer.
func TestAHostThatDoesNotListenHasDeclined(t *testing.T) {
	host, asked := answering(t, `{"action":"accept"}`)
	answer, err := agent.HostElicitor{Host: host, Listens: func() bool { return false }}.Elicit(t.Context(), mcp.Elicitation{})
	if err != nil || answer.Action != mcp.Decline || len(asked) != 0 {
		t.Errorf("%+v, %v", answer, err)
	}
}
