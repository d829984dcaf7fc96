package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/assent-dev/assent/settings"
)

// What becomes of each kind of file, for each agent. UPDATE=1 writes what really
// happens into the archives.
func TestWire(t *testing.T) {
	for _, a := range Agents {
		path := filepath.Join("testdata", "wire", a.String()+".txtar")
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		before := map[string][]byte{}
		cases := 0
		for i, f := range archive.Files {
			name, role := filepath.Split(f.Name)
			if role == "before" {
				before[name] = f.Data
				continue
			}
			cases++
			t.Run(a.String()+"/"+name, func(t *testing.T) {
				got := wireBothWays(t, a, before[name])
				if os.Getenv("UPDATE") != "" {
					archive.Files[i].Data = got
				} else if !bytes.Equal(got, f.Data) {
					t.Errorf("got\n%s\nwant\n%s", got, f.Data)
				}
			})
		}
		if cases < 6 {
			t.Errorf("%s has %d cases only", path, cases)
		}
		if os.Getenv("UPDATE") != "" {
			if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// wireBothWays adds the guard, checks that the same happens to the file with other
// line ends, that a second time changes nothing, and that undoing restores it.
func wireBothWays(t *testing.T, a Agent, before []byte) []byte {
	t.Helper()
	after, steps := mustWire(t, a, before)
	crlf, _ := mustWire(t, a, bytes.ReplaceAll(before, []byte("\n"), []byte("\r\n")))
	if want := bytes.ReplaceAll(after, []byte("\n"), []byte("\r\n")); !blank(before) && bytes.Contains(before, []byte("\n")) && !bytes.Equal(crlf, want) {
		t.Errorf("with CRLF: %q, want %q", crlf, want)
	}
	again := edit{file: "f", text: after}
	if outcome, err := again.wire(a, testProgram, found); err != nil || outcome != Present || !bytes.Equal(again.text, after) {
		t.Errorf("a second time: %v, %v\n%s", outcome, err, again.text)
	}
	undone := edit{file: "f", text: after}
	if _, err := undone.undo(steps, func(Step) bool { return true }); err != nil || !bytes.Equal(undone.text, before) {
		t.Errorf("undone: %v\n%s", err, undone.text)
	}
	return after
}

func mustWire(t *testing.T, a Agent, before []byte) ([]byte, []Step) {
	t.Helper()
	e := edit{file: "f", text: before}
	if outcome, err := e.wire(a, testProgram, found); err != nil || outcome != Added {
		t.Fatalf("%v, %v", outcome, err)
	}
	return e.text, e.steps
}

// A file that cannot be read completely is refused with its place.
func TestWireRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"syntax", "{\n  \"a\": 1\n  \"b\": 2\n}", "f:3:3: not valid JSON"},
		{"the end is missing", "{\n  \"a\": {", "f:2:9: not valid JSON: the text ends before the value does"},
		{"a comment alone", "// nothing", "f:1:11: not valid JSON"},
		{"a key twice", "{\"hooks\": {},\n \"hooks\": {}}", `f:2:2: the key "hooks" occurs twice`},
		{"a list", "[]", "f:1:1: the file must hold an object"},
		{"hooks of another kind", "{\n\"hooks\": []}", "f:2:10: hooks must be an object"},
		{"invalid UTF-8", "{\"a\": \"\xff\"}", "f:1:"},
		{"too deep", strings.Repeat(`{"a":`, 300) + "1" + strings.Repeat("}", 300), "nested more than 256 levels deep"},
		{"far too deep", strings.Repeat("[", 2_000_000), "f:1:10001: nested too deeply"},
		{"too large", strings.Repeat(" ", maxFileSize+1) + "{}", "f: it is larger than 4 MiB"},
		{"after a byte order mark", "\xef\xbb\xbf{\n x}", "f:2:2: not valid JSON"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, a := range Agents {
				e := edit{file: "f", text: []byte(c.text)}
				_, err := e.wire(a, testProgram, found)
				broken, ok := errors.AsType[*settings.BrokenError](err)
				if !ok || !strings.Contains(broken.Error(), c.want) || !strings.HasSuffix(broken.Error(), "nothing was changed)") {
					t.Errorf("%v: %v", a, err)
				}
				if string(e.text) != c.text || len(e.steps) > 0 {
					t.Errorf("%v: the text was changed", a)
				}
			}
		})
	}
	for _, a := range Agents {
		e := edit{file: "f", text: []byte(`{"hooks": {"` + a.event() + `": {}}, "version": 1}`)}
		if _, err := e.wire(a, testProgram, found); err == nil || !strings.Contains(err.Error(), "f:1:") || !strings.Contains(err.Error(), "must be a list") {
			t.Errorf("%v: %v", a, err)
		}
		e = edit{file: "f", text: []byte(`{"version": 2}`)}
		if _, err := e.wire(a, testProgram, found); (err != nil) != a.versioned() {
			t.Errorf("%v: %v", a, err)
		}
	}
}

const (
	claudeNo = "|| { echo 'assent did not judge this call: is it installed?' >&2; exit 2; }"
	jsonNo   = `|| echo '{\"decision\":\"block\",\"reason\":\"assent did not judge this call: is it installed?\"}'`
)

// What is there already is recognised, however it is written.
func TestWireRecognises(t *testing.T) {
	windows := Program{Path: "assent", Windows: true}
	for _, c := range []struct {
		program Program
		agent   Agent
		entry   string
		want    Outcome
	}{
		{testProgram, Claude, `{"hooks": [{"command": "assent hook ` + claudeNo + `"}]}`, Present},
		{testProgram, Claude, `{"hooks": [{"command": "assent hook --agent claude || exit 2"}]}`, Present},
		{testProgram, Claude, `{"hooks": [{"command": "assent hook || { echo 'ask Kim' >&2; exit 2; }"}]}`, Present},
		{testProgram, Claude, `{"hooks": [{"command": "assent hook || { echo ask Kim; exit 2 ; }"}]}`, Present},
		{testProgram, Claude, `{"hooks": [{"command": "assent hook || { exit 2; }"}]}`, Present},
		{testProgram, Claude, `{"hooks": [{"command": "assent hook || (exit 2)"}]}`, Present},
		{testProgram, Claude, `{"hooks": [{"command": "assent-1.2.0 hook || exit 2"}]}`, Present},
		{testProgram, Claude, `{"hooks": [{"command": "assent-v2 hook || exit 2"}]}`, Present},
		{testProgram, Claude, `{"hooks": [{"command": "assentx hook || exit 2"}]}`, Added},
		{testProgram, Claude, `{"hooks": [{"command": "assent-mock hook || exit 2"}]}`, Added},
		{testProgram, Claude, `{"hooks": [{"command": "assent-vim hook || exit 2"}]}`, Added},
		{testProgram, Claude, `{"hooks": [{"command": "x"}, {"command": "'/opt/a b/assent' hook --agent=claude || exit 2"}]}`, Present},
		{testProgram, Claude, `{"hooks": [{"command": "assent hook -agent claude || exit 2"}]}`, Present},
		{testProgram, Claude, `{"hooks": [{"command": "assent", "args": ["hook", "--agent", "claude"]}]}`, Present},
		{testProgram, Claude, `{"hooks": [{"command": "/opt/a b/assent-hook", "args": []}]}`, Present},
		{testProgram, Claude, `{"hooks": [{"command": "assent-hook || exit 2"}]}`, Present},
		{windows, Claude, `{"hooks": [{"command": "\"C:\\Program Files\\assent.exe\" hook"}]}`, Present},
		{windows, Claude, `{"hooks": [{"command": "assent hook ` + claudeNo + `"}]}`, Present},
		{testProgram, Claude, `{"hooks": [{"command": "assent hook --agent codex"}]}`, Added},
		{testProgram, Claude, `{"hooks": [{"command": "assent hook -agent=codex"}]}`, Added},
		{testProgram, Claude, `{"hooks": [{"command": "assent hook --help"}]}`, Added},
		{testProgram, Claude, `{"hooks": [{"command": "assent check"}]}`, Added},
		{testProgram, Claude, `{"hooks": [{"command": "echo assent hook"}]}`, Added},
		{testProgram, Claude, `{"hooks": "assent hook"}`, Added},
		{testProgram, Codex, `{"hooks": [{"command": "assent hook"}]}`, Added},
		{testProgram, Codex, `{"hooks": [{"command": "assent", "args": ["hook", "--agent", "codex"]}]}`, Added},
		{testProgram, Codex, `{"hooks": [{"command": "assent hook --agent codex ` + jsonNo + `"}]}`, Present},
		{windows, Codex, `{"hooks": [{"command": "assent hook --agent codex"}]}`, Present},
		{testProgram, Cursor, `{"command": "assent hook --agent cursor", "failClosed": true}`, Present},
		{testProgram, Cursor, `{"hooks": [{"command": "assent hook --agent cursor"}]}`, Added},
		{testProgram, Copilot, `{"bash": "assent hook --agent copilot"}`, Present},
		{windows, Copilot, `{"powershell": "& 'C:\\assent.exe' hook --agent copilot"}`, Present},
		{testProgram, Copilot, `{"command": "assent hook --agent copilot"}`, Present},
		{testProgram, Copilot, `{"exec": "assent", "args": ["hook", "--agent", "copilot"]}`, Present},
		{testProgram, Claude, `null`, Added},
	} {
		e := edit{file: "f", text: []byte(`{"hooks": {"` + c.agent.event() + `": [` + c.entry + `]}}`)}
		if got, err := e.wire(c.agent, c.program, found); err != nil || got != c.want {
			t.Errorf("%v %s: %v, %v, %q", c.agent, c.entry, got, err, e.notes)
		}
	}
}

// A guard that cannot stop anything is mended, or another one is added. What is wrong
// is said, the person's flags stay, and the result is one that is left alone.
func TestM7_GuardThatStopsNothing(t *testing.T) {
	group := func(rest string) string { return `{"matcher": "*", "hooks": [{"type": "command", ` + rest + `}]}` }
	const claude, wrong = `"command": "assent hook --agent claude ` + claudeNo + `"`, "does not say \"no\" in a way that "
	for name, c := range map[string]struct {
		agent       Agent
		entry       string
		want        Outcome
		after, note string
	}{
		"|| true":                  {Claude, group(`"command": "assent hook --deadline 2s || true"`), Mended, group(`"command": "assent hook --deadline 2s ` + claudeNo + `"`), wrong + "Claude Code obeys"},
		"no end":                   {Claude, group(`"command": "assent hook"`), Mended, group(`"command": "assent hook ` + claudeNo + `"`), wrong + "Claude Code obeys"},
		"a hidden || true":         {Claude, group(`"command": "assent hook || true || exit 2"`), Mended, group(`"command": "assent hook ` + claudeNo + `"`), wrong},
		"status 2, Codex":          {Codex, group(`"command": "assent-hook --agent codex || exit 2"`), Mended, group(`"command": "assent-hook --agent codex ` + jsonNo + `"`), wrong + "Codex obeys"},
		"status 2, Gemini":         {Gemini, group(`"command": "'/a b/assent' hook --agent gemini || exit 2"`), Mended, group(`"command": "'/a b/assent' hook --agent gemini ` + jsonNo + `"`), wrong + "Gemini CLI obeys"},
		"|| true, Copilot":         {Copilot, `{"bash": "assent hook --agent copilot || true"}`, Mended, `{"bash": "assent hook --agent copilot"}`, wrong + "Copilot CLI obeys"},
		"; exit 0":                 {Claude, group(`"command": "assent hook; exit 0"`), Added, "", "does not count: its line does more than start it"},
		"a pipe":                   {Claude, group(`"command": "assent hook | tee log"`), Added, "", "does more than start it"},
		"in the background":        {Claude, group(`"command": "assent hook &"`), Added, "", "does more than start it"},
		"two lines":                {Claude, group(`"command": "assent hook\nexit 0"`), Added, "", "does more than start it"},
		"an open quote":            {Claude, group(`"command": "assent hook '"`), Added, "", "does more than start it"},
		"a flag that is not":       {Claude, group(`"command": "assent hook --quiet"`), Added, "", "its flags have a mistake"},
		"async":                    {Claude, group(claude + `, "async": true`), Mended, group(claude + `, "async": false`), `"async": Claude Code does not wait for the guard`},
		"async, Codex":             {Codex, group(`"async": true, "command": "assent hook --agent codex ` + jsonNo + `"`), Mended, group(`"async": false, "command": "assent hook --agent codex ` + jsonNo + `"`), `does not wait`},
		"not async":                {Claude, group(claude + `, "async": false`), Present, "", ""},
		"if":                       {Claude, group(claude + `, "if": "Bash(git *)"`), Present, "", `sees only the calls that its "if" "Bash(git *)" names`},
		"another type":             {Claude, strings.Replace(group(claude), `"command"`, `"prompt"`, 1), Added, "", `its type is "prompt"`},
		"timeout":                  {Claude, group(claude + `, "timeout": 1`), Mended, group(claude + `, "timeout": 30`), "Claude Code waits 1s for the guard, which may take 5s"},
		"timeout of text":          {Claude, group(claude + `, "timeout": "600"`), Mended, group(claude + `, "timeout": 30`), "waits 0s"},
		"a later deadline":         {Copilot, `{"bash": "assent hook --agent copilot --deadline 1m"}`, Mended, `{"timeoutSec": 85, "bash": "assent hook --agent copilot --deadline 1m"}`, "Copilot CLI waits 30s for the guard, which may take 1m0s"},
		"enough":                   {Claude, group(claude + `, "timeout": 6`), Present, "", ""},
		"milliseconds":             {Gemini, group(`"command": "assent hook --agent gemini ` + jsonNo + `", "timeout": 30`), Mended, group(`"command": "assent hook --agent gemini ` + jsonNo + `", "timeout": 30000`), "Gemini CLI waits 30ms"},
		"fails open":               {Cursor, `{"command": "assent hook --agent cursor"}`, Mended, `{"failClosed": true, "command": "assent hook --agent cursor"}`, `without "failClosed"`},
		"fails open, said":         {Cursor, `{"command": "assent hook --agent cursor", "failClosed": false}`, Mended, `{"command": "assent hook --agent cursor", "failClosed": true}`, `without "failClosed"`},
		"two flaws":                {Cursor, `{"command": "assent hook --agent cursor || true", "timeout": 2}`, Mended, `{"failClosed": true, "command": "assent hook --agent cursor", "timeout": 30}`, "waits 2s"},
		"another system":           {Copilot, `{"type": "command", "powershell": "assent hook --agent copilot"}`, Added, "", "no command for this system"},
		"trust":                    {Claude, group(`"command": "assent hook --trust-workspace || exit 2"`), Present, "", "--trust-workspace: every project grants itself"},
		"settings":                 {Claude, group(`"command": "assent hook --settings {} || exit 2"`), Present, "", "--settings {}: what that allows is allowed"},
		"project":                  {Claude, group(`"command": "assent hook --project /p || exit 2"`), Present, "", "--project /p: wherever"},
		"a word exit":              {Claude, group(`"command": "assent hook || echo exit 2"`), Mended, group(`"command": "assent hook ` + claudeNo + `"`), wrong},
		"a comment":                {Claude, group(`"command": "assent hook || true # exit 2"`), Mended, group(`"command": "assent hook ` + claudeNo + `"`), wrong},
		"a colon":                  {Claude, group(`"command": "assent hook || : exit 2"`), Mended, group(`"command": "assent hook ` + claudeNo + `"`), wrong},
		"false":                    {Claude, group(`"command": "assent hook || false exit 2"`), Mended, group(`"command": "assent hook ` + claudeNo + `"`), wrong},
		"always exit 2":            {Claude, group(`"command": "assent hook || echo no >&2; exit 2"`), Mended, group(`"command": "assent hook ` + claudeNo + `"`), wrong},
		"a comment behind":         {Claude, group(`"command": "assent hook || exit 2 # x"`), Mended, group(`"command": "assent hook ` + claudeNo + `"`), wrong},
		"another status":           {Claude, group(`"command": "assent hook || exit 20"`), Mended, group(`"command": "assent hook ` + claudeNo + `"`), wrong},
		"a quoted command":         {Claude, group(`"command": "assent hook || 'exit 2'"`), Mended, group(`"command": "assent hook ` + claudeNo + `"`), wrong},
		"a pipe behind":            {Claude, group(`"command": "assent hook || { echo no >&2; exit 2; } | cat"`), Mended, group(`"command": "assent hook ` + claudeNo + `"`), wrong},
		"a redirect":               {Claude, group(`"command": "assent hook || { echo no > x; exit 2; }"`), Mended, group(`"command": "assent hook ` + claudeNo + `"`), wrong},
		"another command":          {Claude, group(`"command": "assent hook || { kill $$; exit 2; }"`), Mended, group(`"command": "assent hook ` + claudeNo + `"`), wrong},
		"a command in a word":      {Claude, group(`"command": "assent hook || { echo \"$(kill $$)\" >&2; exit 2; }"`), Mended, group(`"command": "assent hook ` + claudeNo + `"`), wrong},
		"a test":                   {Claude, group(`"command": "assent hook || [ 1 ] ; exit 2"`), Mended, group(`"command": "assent hook ` + claudeNo + `"`), wrong},
		"command":                  {Claude, group(`"command": "assent hook || command exit 2"`), Mended, group(`"command": "assent hook ` + claudeNo + `"`), wrong},
		"an open brace":            {Claude, group(`"command": "assent hook || { exit 2;"`), Mended, group(`"command": "assent hook ` + claudeNo + `"`), wrong},
		"matcher 5":                {Claude, strings.Replace(group(claude), `"*"`, `5`, 1), Added, "", `its matcher is 5`},
		"matcher a list":           {Claude, strings.Replace(group(claude), `"*"`, `["Bash"]`, 1), Added, "", `its matcher is ["Bash"]`},
		"matcher an object":        {Claude, strings.Replace(group(claude), `"*"`, `{"tool": "Bash"}`, 1), Added, "", `its matcher is {"tool": "Bash"}`},
		"matcher null":             {Claude, strings.Replace(group(claude), `"*"`, `null`, 1), Added, "", `its matcher is null`},
		"if is a list":             {Claude, group(claude + `, "if": ["Bash(git *)"]`), Added, "", `its "if" is ["Bash(git *)"]`},
		"async is a text":          {Claude, group(claude + `, "async": "true"`), Added, "", `its "async" is "true"`},
		"a star, Copilot":          {Copilot, `{"bash": "assent hook --agent copilot", "matcher": "*"}`, Added, "", `its matcher "*" is no pattern`},
		"another command, Copilot": {Copilot, `{"command": "assent hook --agent copilot", "bash": "true"}`, Added, "", `its "bash" starts something else`},
		"another program, Copilot": {Copilot, `{"bash": "assent hook --agent copilot", "exec": "true", "args": []}`, Added, "", `its "exec" starts something else`},
		"another system's command": {Copilot, `{"bash": "assent hook --agent copilot", "powershell": "exit"}`, Present, "", ""},
		"a pattern, Copilot":       {Copilot, `{"bash": "assent hook --agent copilot", "matcher": ".*"}`, Present, "", ""},
		"without a shell":          {Claude, group(`"command": "assent", "args": ["hook"]`), Present, "", "started without a shell"},
	} {
		t.Run(name, func(t *testing.T) {
			before := `{"version": 1, "hooks": {"` + c.agent.event() + `": [` + c.entry + `]}}`
			e := edit{file: "f", text: []byte(before)}
			got, err := e.wire(c.agent, testProgram, found)
			if err != nil || got != c.want {
				t.Fatalf("%v, %v", got, err)
			}
			if notes := strings.Join(e.notes, "\n"); (notes == "") != (c.note == "") || !strings.Contains(notes, c.note) {
				t.Errorf("said %q, want %q", notes, c.note)
			}
			if want := strings.Replace(before, c.entry, c.after, 1); got == Mended && string(e.text) != want {
				t.Errorf("got\n%s\nwant\n%s", e.text, want)
			}
			again := edit{file: "f", text: e.text}
			if got, err := again.wire(c.agent, testProgram, found); err != nil || got != Present {
				t.Errorf("again: %v, %v", got, err)
			}
			// Somebody changes the file: what was added goes, what was there stays.
			if changed := (edit{file: "f", text: append(e.text, '\n')}); got == Added {
				if _, err := changed.undo(e.steps, func(Step) bool { return true }); err != nil || !reflect.DeepEqual(tree(t, changed.text), tree(t, []byte(before))) {
					t.Errorf("undone: %v\n%s", err, changed.text)
				}
			}
			if _, err := e.undo(e.steps, func(Step) bool { return true }); err != nil || string(e.text) != before {
				t.Errorf("undone: %v\n%s", err, e.text)
			}
		})
	}
}

// One guard that works is enough, wherever it stands; a guard for some tools is not.
func TestM7_SeveralGuards(t *testing.T) {
	const whole, some = `{"matcher": "*", "hooks": [{"command": "assent hook || %s"}]}`, `{"matcher": "Bash", "hooks": [{"command": "assent hook || %s"}]}`
	for _, c := range []struct {
		entries string
		want    Outcome
	}{
		{fmt.Sprintf(whole+","+whole, "true", "exit 2"), Present},
		{fmt.Sprintf(some+","+whole, "true", "exit 2"), Present},
		{fmt.Sprintf(some+","+whole, "exit 2", "true"), Mended},
		{fmt.Sprintf(some, "exit 2"), Present},
		{fmt.Sprintf(some, "true"), Mended},
	} {
		e := edit{file: "f", text: []byte(`{"hooks": {"PreToolUse": [` + c.entries + `]}}`)}
		if got, err := e.wire(Claude, testProgram, found); err != nil || got != c.want {
			t.Errorf("%s: %v, %v", c.entries, got, err)
		}
	}
}

// A guard whose program is gone would judge nothing. What the person wrote stays.
func TestM8_ProgramIsGone(t *testing.T) {
	alone := Program{Path: "assent-hook"}
	group := func(rest string) string { return `{"hooks": [{` + rest + `}]}` }
	for name, c := range map[string]struct {
		agent         Agent
		program       Program
		before, after string
	}{
		"line":                {Claude, testProgram, group(`"command": "/old/assent hook --agent claude"`), group(`"command": "assent hook --agent claude ` + claudeNo + `"`)},
		"flags":               {Claude, testProgram, group(`"command": "/old/assent-hook --agent claude --settings \"$HOME/a b.json\" --deadline 10s || exit 2"`), group(`"command": "assent hook --agent claude --settings \"$HOME/a b.json\" --deadline 10s ` + claudeNo + `"`)},
		"the small program":   {Codex, alone, group(`"command": "/old/assent hook --agent codex"`), group(`"command": "assent-hook --agent codex ` + jsonNo + `"`)},
		"arguments":           {Claude, testProgram, group(`"command": "/old/assent", "args": ["hook"]`), group(`"command": "assent", "args": ["hook"]`)},
		"arguments, small":    {Claude, alone, group(`"command": "/old/assent", "args": ["hook", "--agent", "claude"]`), group(`"command": "assent-hook", "args": ["--agent", "claude"]`)},
		"one argument, small": {Claude, alone, group(`"command": "/old/assent", "args": ["hook"]`), group(`"command": "assent-hook", "args": []`)},
		"arguments, big":      {Claude, testProgram, group(`"command": "/old/assent-hook", "args": ["--deadline", "2s"]`), group(`"command": "assent", "args": ["hook", "--deadline", "2s"]`)},
		"no arguments, big":   {Claude, testProgram, group(`"command": "/old/assent-hook", "args": []`), group(`"command": "assent", "args": ["hook"]`)},
		"both systems": {
			Copilot, alone, `{"bash": "/old/assent hook --agent copilot", "powershell": "C:\\old\\assent.exe hook --agent copilot --deadline 3s"}`,
			`{"bash": "assent-hook --agent copilot", "powershell": "assent-hook --agent copilot --deadline 3s"}`,
		},
		"a path is for one": {
			Copilot,
			Program{Path: "/new/assent"},
			`{"bash": "/old/assent hook --agent copilot", "powershell": "C:\\assent.exe hook --agent copilot"}`,
			`{"bash": "/new/assent hook --agent copilot", "powershell": "C:\\assent.exe hook --agent copilot"}`,
		},
		"exec, Copilot": {Copilot, alone, `{"exec": "/old/assent", "args": ["hook", "--agent", "copilot"]}`, `{"exec": "assent-hook", "args": ["--agent", "copilot"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			text := func(entry string) string {
				return `{"version": 1, "hooks": {"` + c.agent.event() + `": [` + entry + `]}}`
			}
			runs := func(program string) bool { return program == c.program.Path }
			e := edit{file: "f", text: []byte(text(c.before))}
			if outcome, err := e.wire(c.agent, c.program, runs); err != nil || outcome != Mended || string(e.text) != text(c.after) {
				t.Fatalf("%v, %v\n%s\nwant\n%s", outcome, err, e.text, text(c.after))
			}
			if !strings.Contains(strings.Join(e.notes, "\n"), "was not found") {
				t.Errorf("said %q", e.notes)
			}
			again := edit{file: "f", text: e.text}
			if outcome, err := again.wire(c.agent, c.program, runs); err != nil || outcome != Present {
				t.Errorf("again: %v, %v", outcome, err)
			}
			if _, err := e.undo(e.steps, func(Step) bool { return true }); err != nil || string(e.text) != text(c.before) {
				t.Errorf("undone: %v\n%s", err, e.text)
			}
		})
	}
}

// A program that is nowhere is not replaced by itself.
func TestM8_NothingBetter(t *testing.T) {
	before := `{"version": 1, "hooks": {"preToolUse": [{"bash": "assent hook --agent copilot"}]}}`
	e := edit{file: "f", text: []byte(before)}
	if outcome, err := e.wire(Copilot, testProgram, func(string) bool { return false }); err != nil || outcome != Present || len(e.steps) > 0 {
		t.Errorf("%v, %v\n%s", outcome, err, e.text)
	}
}

// What would keep the guard from running is said.
func TestWireWarns(t *testing.T) {
	for _, c := range []struct {
		agent      Agent
		text, want string
	}{
		{Claude, `{"disableAllHooks": true}`, `"disableAllHooks" is true`},
		{Claude, `{"disableAllHooks": false}`, ""},
		{Codex, `{"disableAllHooks": true}`, ""},
		{Claude, "{} // c", "if Claude Code refuses it"},
		{Codex, `{"a": 1,}`, "if Codex refuses it"},
		{Gemini, "{} // c", ""},
		{Gemini, `{"hooksConfig": {"enabled": false}}`, `"hooksConfig" switches hooks off`},
		{Gemini, `{"hooksConfig": {"disabled": ["x", "assent"]}}`, `"hooksConfig" switches hooks off`},
		{Gemini, `{"hooksConfig": {"enabled": true, "disabled": ["x"]}}`, ""},
		{Claude, `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"command": "assent hook || exit 2"}]}]}}`, `its matcher "Bash" names`},
		{Claude, `{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"command": "assent hook || exit 2"}]}]}}`, ""},
	} {
		e := edit{file: "f", text: []byte(c.text)}
		if _, err := e.wire(c.agent, testProgram, found); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(e.notes, "\n"); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%v %s: %q, want %q", c.agent, c.text, got, c.want)
		}
	}
}

// Comments and hooks that somebody added around the guard survive it.
func TestUnwireChanged(t *testing.T) {
	for _, c := range []struct{ name, edit, with, want string }{
		{"another key", "\n}\n", ",\n  \"b\": 2\n}\n", "{\n  \"a\": 1,\n  \"b\": 2\n}\n"},
		{"another hook", `"hooks": [`, `"hooks": [{"command": "x"},`, "{\n  \"a\": 1,\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"*\",\n        \"hooks\": [{\"command\": \"x\"}\n        ]\n      }\n    ]\n  }\n}\n"},
		{"another event", `"hooks": {`, `"hooks": {"Stop": [],`, "{\n  \"a\": 1,\n  \"hooks\": {\"Stop\": []\n  }\n}\n"},
		{"a comment", `"PreToolUse": [`, `"PreToolUse": [ // mine`, "{\n  \"a\": 1,\n  \"hooks\": {\n    \"PreToolUse\": [ // mine\n    ]\n  }\n}\n"},
	} {
		e := edit{file: "f", text: []byte("{\n  \"a\": 1\n}\n")}
		if _, err := e.wire(Claude, testProgram, found); err != nil {
			t.Fatal(err)
		}
		if e.text = []byte(strings.Replace(string(e.text), c.edit, c.with, 1)); !strings.Contains(string(e.text), c.with) {
			t.Fatalf("%s: nothing to edit in\n%s", c.name, e.text)
		}
		if _, err := e.undo(e.steps, func(Step) bool { return true }); err != nil || string(e.text) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, e.text, c.want)
		}
	}
}
