package wire_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/wire"
)

// hostWith is a host that answers each request with this response object.
func hostWith(t *testing.T, response string) (host *wire.Host, asked func() string) {
	t.Helper()
	fromHost, hostWrites := io.Pipe()
	hostReads, toHost := io.Pipe()
	out := wire.NewOutput(toHost, "s", wire.StreamJSON, true)
	host = wire.NewHost(out, func(wire.Request) (any, error) { return nil, nil })
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = host.Serve(fromHost)
	}()
	heard := make(chan string, 10)
	go func() {
		defer close(heard)
		for line, err := range strictjson.Lines(hostReads, 1<<20) {
			if err != nil {
				return
			}
			heard <- string(line.Data)
			var m struct {
				Type string `json:"type"`
				ID   string `json:"request_id"`
			}
			if strictjson.Unmarshal(line.Data, &m) == nil && m.Type == "control_request" && response != "" {
				_, _ = io.WriteString(hostWrites, `{"type":"control_response","response":`+strings.ReplaceAll(response, "ID", m.ID)+"}\n")
			}
		}
	}()
	t.Cleanup(func() {
		_ = hostWrites.Close()
		<-served
		_ = out.Close()
		_ = toHost.Close()
	})
	return host, func() string { return <-heard }
}

func TestW5_ElicitationAsksTheHost(t *testing.T) {
	for response, want := range map[string]string{
		`{"subtype":"success","request_id":"ID","response":{"action":"accept","content":{"n":7}}}`: `accept {"n":7}`,
		`{"subtype":"success","request_id":"ID","response":{"action":"decline"}}`:                  "decline ",
		`{"subtype":"success","request_id":"ID","response":{"action":"cancel"}}`:                   "cancel ",
		`{"subtype":"error","request_id":"ID","error":"Unsupported control request"}`:              "decline ",
		`{"subtype":"success","request_id":"ID","response":{"action":"yes"}}`:                      `error "yes"`,
		`{"subtype":"success","request_id":"ID","response":{}}`:                                    `error ""`,
		`{"subtype":"success","request_id":"ID","response":[]}`:                                    "error cannot be read",
		`{"subtype":"success","request_id":"ID"}`:                                                  "error cannot be read",
	} {
		host, asked := hostWith(t, response)
		answer, err := host.Elicit(t.Context(), wire.Elicitation{Server: "pay", Message: "how much?", Mode: "form", RequestedSchema: strictjson.Raw(`{"type":"object"}`)})
		got := answer.Action + " " + string(answer.Content)
		if err != nil {
			got = "error " + err.Error()
		}
		if part, isError := strings.CutPrefix(want, "error "); got != want && (!isError || !strings.Contains(got, part) || !strings.HasPrefix(got, "error ")) {
			t.Errorf("%s: %s", response, got)
		}
		if line := asked(); !strings.Contains(line, `"request":{"subtype":"elicitation","mcp_server_name":"pay","message":"how much?","mode":"form","requested_schema":{"type":"object"}}`) {
			t.Errorf("the host was asked %s", line)
		}
	}
}

func TestW5_AnElicitationThatIsWithdrawn(t *testing.T) {
	host, asked := hostWith(t, "")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := host.Elicit(ctx, wire.Elicitation{Server: "pay", Mode: "url", URL: "https://x/", ElicitationID: "e"})
		done <- err
	}()
	if line := asked(); !strings.Contains(line, `"mode":"url","url":"https://x/","elicitation_id":"e"}`) {
		t.Errorf("the host was asked %s", line)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if line := asked(); !strings.Contains(line, "control_cancel_request") {
		t.Errorf("the host was told %s", line)
	}
}

func TestToolProgressOnTheWire(t *testing.T) {
	for _, tt := range []struct {
		message wire.ToolProgress
		text    string
	}{
		{
			wire.ToolProgress{ToolUseID: "t1", ToolName: "mcp__a__b", ElapsedSeconds: 1.5, Stamp: wire.Stamp{SessionID: "s", UUID: "u"}},
			`{"type":"tool_progress","tool_use_id":"t1","tool_name":"mcp__a__b","parent_tool_use_id":null,"elapsed_time_seconds":1.5,"session_id":"s","uuid":"u"}`,
		},
		{
			wire.ToolProgress{ToolUseID: "t1", ToolName: "b", ParentToolUseID: "t0", Done: 1, Total: 2, Message: "m", Stamp: wire.Stamp{SessionID: "s", UUID: "u"}},
			`{"type":"tool_progress","tool_use_id":"t1","tool_name":"b","parent_tool_use_id":"t0","elapsed_time_seconds":0,"progress":1,"total":2,"message":"m","session_id":"s","uuid":"u"}`,
		},
	} {
		if got, err := wire.Encode(&tt.message); err != nil || string(got) != tt.text {
			t.Errorf("%s, %v", got, err)
		}
	}
}
