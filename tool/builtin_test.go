package tool_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// schemaFile is what a reader may rely on in every schema file.
type schemaFile struct {
	Dialect    string                    `json:"$schema"`
	Title      string                    `json:"title"`
	Type       string                    `json:"type"`
	Properties map[string]strictjson.Raw `json:"properties"`
	Closed     strictjson.Raw            `json:"additionalProperties"`
}

func TestSchemaFiles(t *testing.T) {
	for _, d := range tool.Builtin() {
		var file schemaFile
		if err := strictjson.Unmarshal(d.Schema(), &file); err != nil {
			t.Fatalf("%s: %v", d.Name(), err)
		}
		if file.Dialect != "https://json-schema.org/draft/2020-12/schema" || file.Title != d.Name() ||
			file.Type != "object" || file.Closed.String() != "false" {
			t.Errorf("%s: want a closed object of draft 2020-12 with its name as title, got %+v", d.Name(), file)
		}
		if _, ok := file.Properties[d.Subject()]; d.Subject() != "" && !ok {
			t.Errorf("%s: rules are about %q, which is no property", d.Name(), d.Subject())
		}
	}
}

func TestEverySchemaFileHasItsTool(t *testing.T) {
	files, err := os.ReadDir("schema")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range tool.Builtin() {
		names = append(names, d.Name()+".json")
	}
	for _, file := range files {
		if !slices.Contains(names, file.Name()) {
			t.Errorf("schema/%s belongs to no tool", file.Name())
		}
	}
	if len(files) != len(names) {
		t.Errorf("%d schemas for %d tools", len(files), len(names))
	}
}

func TestSet(t *testing.T) {
	set, err := tool.NewSet(tool.Builtin()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bash", "BASH", "", "Bash ", "../schema/Bash", "mcp__pay__refund"} {
		if _, ok := set.Lookup(name); ok {
			t.Errorf("%q is found", name)
		}
	}
	if d, ok := set.Lookup("Bash"); !ok || d.Name() != "Bash" || d.Kind() != permission.Shell {
		t.Errorf("Bash is %v, %v", d, ok)
	}
	_, err = tool.NewSet(append(tool.Builtin(), tool.Builtin()[0])...)
	if err == nil || !strings.Contains(err.Error(), `"Bash" is defined twice`) {
		t.Errorf("two tools of one name: %v", err)
	}
}

// What runs, writes or reaches out must never be taken for something harmless.
func TestKinds(t *testing.T) {
	want := map[permission.Kind]string{
		permission.Other:   "Skill SlashCommand ListMcpResourcesTool ReadMcpResourceTool",
		permission.Shell:   "Bash",
		permission.Read:    "Read",
		permission.Search:  "Glob Grep",
		permission.Edit:    "Write Edit NotebookEdit",
		permission.Fetch:   "WebFetch",
		permission.Lookup:  "WebSearch",
		permission.Session: "EnterPlanMode TodoWrite TaskCreate TaskGet TaskList TaskUpdate TaskOutput BashOutput",
		permission.Person:  "AskUserQuestion ExitPlanMode",
		permission.Agent:   "Task Agent",
		permission.Process: "TaskStop KillShell",
	}
	got := map[permission.Kind][]string{}
	for _, d := range tool.Builtin() {
		got[d.Kind()] = append(got[d.Kind()], d.Name())
	}
	for kind, names := range got {
		if joined := strings.Join(names, " "); joined != want[kind] {
			t.Errorf("%v tools are %q, want %q", kind, joined, want[kind])
		}
	}
}
