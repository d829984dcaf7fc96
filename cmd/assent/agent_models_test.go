package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/modeltest"
)

// mostMemory is what a process of the agent may need while a model does its worst, in
// megabytes. An answer may be as large as 16 MB, and is there a few times at once: as
// it comes, as it is kept, as it is told, and as it is sent back.
const mostMemory = 384

// A model that means harm, or is broken, costs bounded memory; what it gets is a clear
// message, and nothing runs that the rules do not allow.
func TestHostileModelsAsAProcess(t *testing.T) {
	t.Parallel()
	programs := plainPrograms(t)
	touch := func(i int) model.Block {
		return modeltest.Call(fmt.Sprintf("toolu_%d", i), "Bash", `{"command":"touch ran"}`)
	}
	many := make([]model.Block, 900)
	for i := range many {
		many[i] = touch(i)
	}
	large := strings.Repeat("x", 15<<20)
	one := func(name, input string) modeltest.Reply {
		return modeltest.Reply{Blocks: []model.Block{modeltest.Call("toolu_1", name, input)}}
	}
	well := modeltest.Say("Well.")
	for name, tt := range map[string]struct {
		replies []modeltest.Reply
		status  int
		says    string // in what comes out
		told    string // in what the model is told in the end
	}{
		"no JSON":               {[]modeltest.Reply{{Raw: "event: x\ndata: nonsense\n\n"}}, 1, "cannot be understood", ""},
		"no stream":             {[]modeltest.Reply{{Raw: "<html>It works!</html>"}}, 1, "model", ""},
		"nothing":               {[]modeltest.Reply{{Raw: "\n"}}, 1, "model", ""},
		"no such tool":          {[]modeltest.Reply{one("Rm", `{"path":"/"}`), well}, 0, "Well.", "no such tool"},
		"another spelling":      {[]modeltest.Reply{one("bash", `{"command":"touch ran"}`), well}, 0, "Well.", "no such tool"},
		"a name of no shape":    {[]modeltest.Reply{one("../Bash\u0000\u001b[2J", `{"command":"touch ran"}`), well}, 0, "Well.", ""},
		"input that is no JSON": {[]modeltest.Reply{one("Bash", `{"command":"touch ran"`), well}, 0, "Well.", "cannot be read"},
		"a key twice":           {[]modeltest.Reply{one("Bash", `{"command":"ls","command":"touch ran"}`), well}, 0, "Well.", "twice"},
		"a key twice, escaped":  {[]modeltest.Reply{one("Bash", `{"command":"ls","\u0063ommand":"touch ran"}`), well}, 0, "Well.", "twice"},
		"deep input":            {[]modeltest.Reply{one("Bash", `{"command":`+strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000)+`}`), well}, 0, "Well.", "cannot be read"},
		"900 calls at once":     {[]modeltest.Reply{{Blocks: many}, well}, 0, "Well.", "at most 256 calls"},
		"calls without end":     {[]modeltest.Reply{{Endless: modeltest.Calls}}, 1, "too large", ""},
		"input without end":     {[]modeltest.Reply{{Endless: modeltest.Deltas}}, 1, "too large", ""},
		"a line without end":    {[]modeltest.Reply{{Endless: modeltest.Line}}, 1, "too large", ""},
		"a large text":          {[]modeltest.Reply{{Raw: streamed(`{"type":"text","text":""}`, "text_delta", "text", large)}}, 0, "xxx", ""},
		"a large command":       {[]modeltest.Reply{{Raw: streamed(`{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}`, "input_json_delta", "partial_json", `{"command":"touch ran #`+large+`"}`)}, well}, 0, "Well.", ""},
		"a large file":          {[]modeltest.Reply{{Raw: streamed(`{"type":"tool_use","id":"toolu_1","name":"Write","input":{}}`, "input_json_delta", "partial_json", `{"file_path":"ran","content":"`+large+`"}`)}, well}, 0, "Well.", ""},
	} {
		t.Run(name, func(t *testing.T) {
			for _, format := range []string{"text", "stream-json"} {
				p := newPlace(t)
				server := modeltest.Messages(t, tt.replies...)
				r := programs.run(p, p.env("ANTHROPIC_API_KEY=test", "ANTHROPIC_BASE_URL="+server.URL),
					"-p", "--verbose", "--output-format", format, "--disallowedTools", "Bash(touch:*)", "--", "hello")
				t.Logf("%s: %d MB", format, r.megabytes)
				if r.status != tt.status || !strings.Contains(r.stdout, tt.says) || r.stderr != "" {
					t.Errorf("%s: exit status %d, said %.500s\n%.500s", format, r.status, r.stdout, r.stderr)
				}
				if r.megabytes > mostMemory {
					t.Errorf("%s: %d MB", format, r.megabytes)
				}
				requests := server.Requests()
				if last := string(requests[len(requests)-1].Body); !strings.Contains(last, tt.told) {
					t.Errorf("%s: the model is told … %s", format, last[max(0, len(last)-1000):])
				}
				if p.has("ran") {
					t.Errorf("%s: it ran", format)
				}
			}
		})
	}
}

// streamed is a turn of one block as a server of the Messages API sends it.
func streamed(block, kind, member, text string) string {
	var b strings.Builder
	b.WriteString("event: x\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\",\"content\":[],\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}\n\n")
	fmt.Fprintf(&b, "event: x\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":%s}\n\n", block)
	for len(text) > 0 {
		n := min(len(text), 64<<10)
		piece, err := strictjson.Marshal(text[:n])
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(&b, "event: x\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":%q,%q:%s}}\n\n", kind, member, piece)
		text = text[n:]
	}
	b.WriteString("event: x\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n" +
		"event: x\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":1}}\n\n" +
		"event: x\ndata: {\"type\":\"message_stop\"}\n\n")
	return b.String()
}

// plain are programs without the race detector, which needs memory of its own.
type plain struct{ assent, peak string }

func plainPrograms(t *testing.T) plain {
	t.Helper()
	dir := t.TempDir()
	p := plain{filepath.Join(dir, "assent"), filepath.Join(dir, "peak")}
	for to, source := range map[string]string{p.assent: ".", p.peak: filepath.Join("..", "..", "bench", "peak", "main.go")} {
		build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", to, source)
		build.Env = append(os.Environ(), "CGO_ENABLED=0") // as `make build` does it, or all of it would be compiled twice
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return p
}

// measured is a process that has ended.
type measured struct {
	status         int
	stdout, stderr string
	megabytes      int
}

func (programs plain) run(p *place, env []string, args ...string) measured {
	p.t.Helper()
	figures := filepath.Join(p.t.TempDir(), "figures.json")
	var stdout, stderr strings.Builder
	cmd := exec.CommandContext(p.t.Context(), programs.peak, append([]string{figures, programs.assent}, args...)...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = p.dir, env, &stdout, &stderr
	_ = cmd.Run() // the status says it
	text, err := os.ReadFile(figures)
	if err != nil {
		p.t.Fatalf("%v\n%s", err, stderr.String())
	}
	var found struct {
		Nanoseconds int64 `json:"nanoseconds"`
		Kilobytes   int   `json:"kilobytes"`
	}
	if err := strictjson.Unmarshal(text, &found); err != nil {
		p.t.Fatal(err)
	}
	return measured{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String(), found.Kilobytes >> 10}
}
