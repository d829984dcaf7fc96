package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/tool"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
)

// The test binary is also the server that the tests start: what it does is in a variable.
const manner = "ASSENT_TEST_MCP_SERVER"

func TestMain(m *testing.M) {
	if name := os.Getenv(manner); name != "" {
		behave(name)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// program is a server that behaves in some manner.
func program(t *testing.T, name, how string, env ...mcp.Pair) mcp.Server {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The race detector would wait for a second at the end of each.
	env = append(env, mcp.Pair{Name: manner, Value: how}, mcp.Pair{Name: "GORACE", Value: "atexit_sleep_ms=0"})
	return mcp.Server{Name: name, Command: exe, Env: env}
}

// open opens a set, waits for it and closes it at the end of the test, after which no
// goroutine may be left.
func open(t *testing.T, options mcp.Options, servers ...mcp.Server) *mcp.Set {
	t.Helper()
	before := goleak.IgnoreCurrent()
	set := mcp.Open(t.Context(), servers, options)
	t.Cleanup(func() {
		set.Close(context.Background())
		// The official server keeps a session that the client believes to be gone.
		goleak.VerifyNone(t, before, goleak.IgnoreTopFunction("github.com/modelcontextprotocol/go-sdk/mcp.(*streamableServerConn).Read"))
	})
	set.Wait(t.Context())
	return set
}

func status(t *testing.T, set *mcp.Set, name string) mcp.Status {
	t.Helper()
	for _, s := range set.Status() {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no status of %s", name)
	return mcp.Status{}
}

func find(t *testing.T, set *mcp.Set, name string) tool.Runner {
	t.Helper()
	for _, r := range set.Tools() {
		if r.Name() == name {
			return r
		}
	}
	t.Fatalf("no tool %s among %d; %+v", name, len(set.Tools()), set.Status())
	return nil
}

func run(ctx context.Context, r tool.Runner, input string) tool.Result {
	return r.Run(ctx, tool.Job{Input: []byte(input), ToolUseID: "toolu_1"})
}

func want(t *testing.T, got tool.Result, outcome tool.Outcome, parts ...string) {
	t.Helper()
	if got.Outcome != outcome {
		t.Errorf("outcome %d, want %d: %.400s", got.Outcome, outcome, got.Text)
	}
	for _, part := range parts {
		if !strings.Contains(got.Text, part) {
			t.Errorf("the text lacks %q: %.600s", part, got.Text)
		}
	}
}

// behave is the server. It speaks the protocol by hand, so that it can break it.
func behave(how string) {
	if how == "sdk" {
		_ = newSDKServer().Run(context.Background(), &sdk.StdioTransport{})
		return
	}
	before(how)
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			break
		}
		var m message
		if strictjson.Unmarshal(line, &m) == nil {
			serve(how, m)
		}
	}
	if how == "stubborn" {
		select {}
	}
}

type message struct {
	ID     strictjson.Raw `json:"id"`
	Method string         `json:"method"`
	Params struct {
		Name      string         `json:"name"`
		Arguments strictjson.Raw `json:"arguments"`
		RequestID any            `json:"requestId"`
		Cursor    string         `json:"cursor"`
		Meta      struct {
			Token any `json:"progressToken"`
		} `json:"_meta"`
	} `json:"params"`
}

func before(how string) {
	switch how {
	case "exit":
		fmt.Fprintln(os.Stderr, "no \x1b[31mlicence\x1b[0m found")
		os.Exit(3)
	case "deaf":
		select {}
	case "noise":
		for range 100 {
			fmt.Println("Listening on stdio…\n{\"level\":\"info\"}\n{broken\n[]\n\n\x00\xff")
		}
	case "babble":
		for {
			if _, err := fmt.Println(strings.Repeat("bla ", 1000)); err != nil {
				os.Exit(1)
			}
		}
	case "flood stderr":
		fmt.Fprint(os.Stderr, strings.Repeat("x", 8<<20), "THE END")
	case "stubborn":
		// A child that would outlive us.
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), manner+"=deaf")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if child.Start() == nil {
			_ = os.WriteFile(os.Getenv("PIDS"), []byte(strconv.Itoa(os.Getpid())+" "+strconv.Itoa(child.Process.Pid)), 0o600)
		}
	}
}

func reply(id strictjson.Raw, result string) {
	fmt.Printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n", id, result)
}

func serve(how string, m message) {
	switch m.Method {
	case "initialize":
		if how == "mute" {
			return
		}
		reply(m.ID, `{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"t","version":"1"}}`)
	case "tools/list":
		reply(m.ID, listOf(how, m.Params.Cursor))
	case "tools/call":
		callOf(how, m)
	case "notifications/cancelled":
		if file := os.Getenv("CANCELLED"); file != "" {
			_ = os.WriteFile(file, fmt.Append(nil, m.Params.RequestID), 0o600)
		}
	case "ping":
		reply(m.ID, "{}")
	case "": // an answer
		if id, ok := strings.CutPrefix(string(m.ID), `"call `); ok {
			reply(strictjson.Raw(strings.TrimSuffix(id, `"`)), `{"content":[{"type":"text","text":"ok"}]}`)
		}
	}
}

func listOf(how, cursor string) string {
	const schema = `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`
	switch how {
	case "many":
		var b bytes.Buffer
		page, _ := strconv.Atoi(cursor)
		for i := range 1000 {
			fmt.Fprintf(&b, `,{"name":"t%d","description":"d","inputSchema":%s}`, page*1000+i, schema)
		}
		return fmt.Sprintf(`{"tools":[%s],"nextCursor":"%d"}`, b.Bytes()[1:], page+1)
	case "names":
		return strings.ReplaceAll(`{"tools":[
{"name":"ok","inputSchema":{}},{"name":"ok","inputSchema":{}},
{"name":"a.b","inputSchema":{"type":"object"}},{"name":"a_b","description":"the real one","inputSchema":{"type":"object"}},
{"name":"x.y","inputSchema":{"type":"object"}},{"name":"x/y","inputSchema":{"type":"object"}},
{"name":"fine.name","inputSchema":{"type":"object"}},
{"name":"","inputSchema":{"type":"object"}},
{"name":"`+strings.Repeat("l", 130)+`","inputSchema":{"type":"object"}},
{"name":"list","inputSchema":{"type":"array"}},{"name":"none","inputSchema":null},null]}`, "\n", "")
	}
	return `{"tools":[{"name":"go","description":"goes","inputSchema":` + schema + `,"annotations":{"readOnlyHint":true}}]}`
}

// A server that answers only when it has manyCalls of them.
const manyCalls = 50

var waiting []strictjson.Raw

func callOf(how string, m message) {
	text := func(s string) { reply(m.ID, `{"content":[{"type":"text","text":`+strconv.Quote(s)+`}]}`) }
	switch how {
	case "die":
		fmt.Fprintln(os.Stderr, "out of luck")
		os.Exit(7)
	case "hang":
	case "half":
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, m.ID) // whole but for the end of the line
		os.Exit(0)
	case "falls silent":
		_ = os.Stdout.Close()
	case "chatters":
		for {
			fmt.Fprintln(os.Stderr, strings.Repeat("z", 1<<16))
		}
	case "huge":
		fmt.Println(strings.Repeat("y", 33<<20))
	case "long":
		text(strings.Repeat("é", 150_000))
	case "twice":
		text("first")
		text("second")
		fmt.Println(`{"jsonrpc":"2.0","id":77,"method":"ping"}` + "\n" + `{"jsonrpc":"2.0","id":77,"method":"ping"}`)
	case "answers and ends":
		if waiting = append(waiting, m.ID); len(waiting) < manyCalls {
			return
		}
		for _, id := range waiting {
			reply(id, `{"content":[{"type":"text","text":"done"}]}`)
		}
		os.Exit(0)
	case "lingers": // the first of its kind closes its output and stays
		text("done")
		if file, err := os.OpenFile(os.Getenv("PIDS"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err == nil {
			fmt.Fprint(file, os.Getpid())
			_ = file.Close()
			_ = os.Stdout.Close()
			select {}
		}
	case "no result":
		fmt.Printf("{\"jsonrpc\":\"2.0\",\"id\":%s}\n", m.ID)
	case "strange":
		reply(m.ID, `{"content":[{"type":"hologram"}]}`)
	case "error":
		fmt.Printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32000,\"message\":\"no \\u001b[1mmoney\"}}\n", m.ID)
	case "wrong":
		reply(m.ID, `{"isError":true,"content":[{"type":"text","text":"bad n"}]}`)
	case "env":
		text(os.Getenv("SECRET") + "|" + os.Getenv("GIVEN") + "|" + os.Getenv("ASSENT_TOKEN"))
	case "progress":
		for i := 1; i <= 3; i++ {
			fmt.Printf("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%q,\"progress\":%d,\"total\":3,\"message\":\"step\"}}\n", m.Params.Meta.Token, i)
		}
		fmt.Println(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"nobody","progress":1}}`)
		// An answer may overtake the news before it; the answer to a question of ours does not.
		fmt.Printf("{\"jsonrpc\":\"2.0\",\"id\":\"call %s\",\"method\":\"ping\"}\n", m.ID)
	default:
		text("got " + string(m.Params.Arguments))
	}
}

// pngStart is what every PNG starts with.
const pngStart = "\x89PNG\r\n\x1a\n"

// newSDKServer is a server of the official SDK.
func newSDKServer() *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "t", Version: "1"}, nil)
	type input struct {
		N int `json:"n"`
	}
	text := func(format string, values ...any) *sdk.CallToolResult {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: fmt.Sprintf(format, values...)}}}
	}
	sdk.AddTool(s, &sdk.Tool{Name: "double"}, func(_ context.Context, _ *sdk.CallToolRequest, in input) (*sdk.CallToolResult, any, error) {
		return text("twice is %d", 2*in.N), nil, nil
	})
	sdk.AddTool(s, &sdk.Tool{Name: "fail"}, func(context.Context, *sdk.CallToolRequest, input) (*sdk.CallToolResult, any, error) {
		return nil, nil, fmt.Errorf("no way")
	})
	sdk.AddTool(s, &sdk.Tool{Name: "wait"}, func(ctx context.Context, _ *sdk.CallToolRequest, _ input) (*sdk.CallToolResult, any, error) {
		<-ctx.Done()
		return nil, nil, ctx.Err()
	})
	sdk.AddTool(s, &sdk.Tool{Name: "ask"}, func(ctx context.Context, r *sdk.CallToolRequest, _ input) (*sdk.CallToolResult, any, error) {
		answer, err := r.Session.Elicit(ctx, &sdk.ElicitParams{Message: "how much?", RequestedSchema: map[string]any{
			"type": "object", "properties": map[string]any{"amount": map[string]any{"type": "number"}},
		}})
		if err != nil {
			return nil, nil, err
		}
		return text("%s %v", answer.Action, answer.Content["amount"]), nil, nil
	})
	sdk.AddTool(s, &sdk.Tool{Name: "grow"}, func(context.Context, *sdk.CallToolRequest, input) (*sdk.CallToolResult, any, error) {
		s.AddTool(&sdk.Tool{Name: "grown", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return text("hello"), nil
		})
		return text("done"), nil, nil
	})
	s.AddTool(&sdk.Tool{Name: "mixed", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{
			&sdk.TextContent{Text: "look"}, &sdk.ImageContent{MIMEType: "image/png", Data: []byte(pngStart)},
			&sdk.ImageContent{MIMEType: "image/tiff", Data: []byte("TIFF")}, &sdk.AudioContent{MIMEType: "audio/wav", Data: []byte("WAV")},
			&sdk.ResourceLink{URI: "file:///a", Name: "a", Description: "the first"},
			&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///b", Text: "inside"}},
			&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///c", Blob: []byte{1, 2, 3}, MIMEType: "x/y"}},
		}}, nil
	})
	s.AddTool(&sdk.Tool{Name: "structured", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{StructuredContent: map[string]any{"a": 1}}, nil
	})
	s.AddTool(&sdk.Tool{Name: "nothing", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{}, nil
	})
	return s
}
