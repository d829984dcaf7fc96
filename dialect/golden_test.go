package dialect_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/dialect/dialecttest"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// Every fact has a source that somebody can look up.
func TestT4_GoldenSources(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "SOURCES.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, agent := range dialect.Agents {
		_, section, _ := strings.Cut(string(text), "\n## "+agent.String()+"\n")
		if section, _, _ = strings.Cut(section, "\n## "); len(strings.TrimSpace(section)) < 100 {
			t.Errorf("SOURCES.md does not say where the facts about %v come from", agent)
		}
	}
}

// The golden files are conversations: testdata/AGENT/NAME.in.json is what the agent
// writes, NAME.out what it gets. The first line of an .out file says which habit of
// that agent the case is about. Then come the calls that were understood, and the
// reply to each outcome. Where the facts come from is said in testdata/SOURCES.md.
//
// UPDATE=1 writes everything but the first line.
func TestT4_Golden(t *testing.T) {
	inputs, err := filepath.Glob(filepath.Join("testdata", "*", "*.in.json"))
	if err != nil || len(inputs) < 40 {
		t.Fatalf("found %d cases, %v", len(inputs), err)
	}
	for _, input := range inputs {
		name := strings.TrimSuffix(input, ".in.json")
		t.Run(strings.TrimPrefix(name, "testdata/"), func(t *testing.T) { golden(t, input, name+".out") })
	}
}

func golden(t *testing.T, input, output string) {
	agent, err := dialect.ParseAgent(filepath.Base(filepath.Dir(input)))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(input)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := os.ReadFile(output)
	about, _, found := strings.Cut(string(want), "\n")
	if !found || !strings.HasPrefix(about, "# ") {
		t.Fatalf("%s does not start with a line that says what it is about", output)
	}
	got := about + "\n" + converse(t, agent, data)
	if os.Getenv("UPDATE") != "" && got != string(want) {
		if err := os.WriteFile(output, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// converse writes down how an event is understood and answered.
func converse(t *testing.T, agent dialect.Agent, data []byte) string {
	var b strings.Builder
	event, err := dialect.Parse(agent, data)
	if err != nil {
		fmt.Fprintf(&b, "error %v\n", err)
		reply := dialect.Failure(event, err)
		if dialecttest.LetsThrough(agent, event.Kind, reply) {
			t.Errorf("an event that cannot be read lets a call through: %+v", reply)
		}
		return b.String() + show("failure", reply)
	}
	fmt.Fprintf(&b, "kind %s", map[dialect.Kind]string{
		dialect.ToolCall: "call", dialect.PermissionRequest: "permission request", dialect.Notice: "notice",
	}[event.Kind])
	if event.Cwd != "" {
		fmt.Fprintf(&b, ", cwd %s", event.Cwd)
	}
	if event.Mode != 0 {
		fmt.Fprintf(&b, ", mode %v", event.Mode)
	}
	if event.Roots != nil {
		fmt.Fprintf(&b, ", roots %s", strings.Join(event.Roots, " "))
	}
	b.WriteByte('\n')
	for _, call := range event.Calls {
		b.WriteString(describe(call))
	}
	if event.Kind == dialect.Notice {
		return b.String() + show("answer", dialect.Answer(event, dialect.Outcome{}))
	}
	for _, behavior := range []permission.Behavior{permission.Allow, permission.Ask, permission.Deny} {
		reply := dialect.Answer(event, dialect.Outcome{Behavior: behavior, Reason: "because", Hint: "a person can mend it"})
		b.WriteString(show(behavior.String(), reply))
		if through := dialecttest.LetsThrough(agent, event.Kind, reply); through != (behavior == permission.Allow) {
			t.Errorf("%v: the agent lets it through: %v", behavior, through)
		}
	}
	return b.String()
}

func describe(c dialect.Call) string {
	input, err := strictjson.Marshal(strictjson.Raw(c.Input)) // on one line
	if err != nil {
		input = []byte(err.Error())
	}
	text := fmt.Sprintf("call %s %s", c.Tool, input)
	for _, mark := range []struct {
		set  bool
		name string
	}{{c.Foreign, "foreign"}, {c.Guess, "guess"}, {c.AnyServer, "any server"}, {c.IfDir != "", "if it is a directory"}, {c.Doubt != "", "doubt: " + c.Doubt}, {c.Dir != "", "in " + c.Dir}} {
		if mark.set {
			text += ", " + mark.name
		}
	}
	return text + "\n"
}

func show(title string, r dialect.Reply) string {
	line := func(name string, data []byte) string {
		if len(data) == 0 {
			return ""
		}
		return fmt.Sprintf("  %s %s\n", name, bytes.TrimSuffix(data, []byte("\n")))
	}
	return fmt.Sprintf("%s exit %d\n", title, r.Exit) + line("stdout", r.Stdout) + line("stderr", r.Stderr)
}
