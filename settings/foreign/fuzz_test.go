package foreign

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
	"pgregory.net/rapid"
)

var testProgram = Program{Path: "assent"}

func found(string) bool { return true }

// Whatever a file says: adding the guard keeps every value and every comment,
// adding it twice changes nothing, and undoing restores the very bytes. Where
// somebody has changed the file meanwhile, exactly the guard goes.
func FuzzWire(f *testing.F) {
	for _, seed := range []string{
		"", " \n", "{}", "{ }\n", "{\n}\n", "{ // c\n}", "{/* c */}", "\xef\xbb\xbf{}", `{"hooks":{}}`, `{"hooks": {"PreToolUse": []}}`,
		"{\n  \"a\": 1, // c\n}\n", "{\"a\": 1 // c\n}", "{\r\n\t\"a\": [1, 2],\r\n\t\"hooks\": {\r\n\t}\r\n}\r\n",
		`{"hooks": {"preToolUse": [{"command": "x"} /* y */, ]}, "version": 1}`, `{"version": 2}`, `{"hooks": []}`,
		`{"hooks": {"BeforeTool": [{"hooks": [{"command": "assent hook --agent gemini"}, {"command": "y"}]}]}}`,
		"{\"hooks\": {\"PreToolUse\": [ // c\n {\"hooks\": [{\"command\": \"'/a b/assent' hook\"}]}, 1]}}", `{"a":"é","permissions":{}}`,
		`{"hooks": {"preToolUse": [{"command": "assent hook --agent cursor || true", /* c */ "timeout": 1, "async": true}]}, "version": 1}`,
		`{"hooks": {"preToolUse": [{"type": "command", "bash": "/x/assent hook --agent copilot; exit 0", "exec": "assent-hook"}]}, "version": 1}`,
		"{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{ // c\n  \"command\": \"assent\", \"args\": [\"hook\"], \"timeout\": 2}]}]}}",
	} {
		for i := range Agents {
			f.Add([]byte(seed), byte(i))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, which byte) {
		checkWire(t, text, Agents[int(which)%len(Agents)])
	})
}

// The same for texts that are always JSON with comments.
func TestWireAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := genDocument().Draw(t, "text")
		if rapid.Bool().Draw(t, "crlf") {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		checkWire(t, []byte(text), rapid.SampledFrom(Agents).Draw(t, "agent"))
	})
}

type tester interface {
	Helper()
	Fatalf(string, ...any)
}

func checkWire(t tester, text []byte, a Agent) {
	t.Helper()
	e := edit{file: "f", text: text}
	_, err := e.addPolicy()
	if err != nil {
		return // refused, and that is that
	}
	outcome, err := e.wire(a, testProgram, found)
	if err != nil {
		return
	}
	d, err := parse("f", e.text)
	if err != nil {
		t.Fatalf("the result cannot be read: %v\n%s", err, e.text)
	}
	if _, list, err := d.list(a); err != nil || len(d.guards(a, list)) == 0 {
		t.Fatalf("no guard in\n%s", e.text)
	}
	sameBut(t, a, text, e.text, outcome)
	keepsComments(t, text, e.text)

	again := edit{file: "f", text: e.text}
	if outcome, err := again.wire(a, testProgram, found); err != nil || outcome != Present || len(again.steps) > 0 {
		t.Fatalf("adding twice: %v, %v\n%s", outcome, err, again.text)
	}

	undone := edit{file: "f", text: e.text}
	if _, err := undone.undo(e.steps, func(Step) bool { return true }); err != nil || !bytes.Equal(undone.text, text) {
		t.Fatalf("undone: %v\n%q, was\n%q", err, undone.text, text)
	}

	// Somebody adds a blank at the end, so that the sums do not fit any more.
	changed := edit{file: "f", text: append(bytes.Clone(e.text), ' ')}
	if _, err := changed.undo(e.steps, func(Step) bool { return true }); err != nil {
		t.Fatalf("undoing in a changed file: %v", err)
	}
	if outcome == Added && !blank(text) {
		got, want := tree(t, changed.text), tree(t, text)
		if hooks, _ := want["hooks"].(map[string]any); len(hooks) > 0 && want["version"] == nil {
			delete(got, "version") // the other hooks need it
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("undoing in a changed file left\n%s\nwas\n%s", changed.text, text)
		}
		keepsComments(t, text, changed.text)
	}
}

// sameBut: every value of before is in after, and nothing else but what was added.
func sameBut(t tester, a Agent, before, after []byte, outcome Outcome) {
	t.Helper()
	old, now := map[string]any{}, tree(t, after)
	if !blank(before) {
		old = tree(t, before)
	}
	if _, ok := old["permissions"]; !ok {
		delete(now, "permissions")
	}
	if _, ok := old["version"]; !ok {
		delete(now, "version")
	}
	if outcome == Added {
		hooks := now["hooks"].(map[string]any)
		list := hooks[a.event()].([]any)
		hooks[a.event()] = list[:len(list)-1]
		oldHooks, _ := old["hooks"].(map[string]any)
		if _, ok := oldHooks[a.event()]; !ok {
			delete(hooks, a.event())
		}
		if _, ok := old["hooks"]; !ok {
			delete(now, "hooks")
		}
	}
	if outcome == Mended {
		withoutGuards(t, a, before, old)
		withoutGuards(t, a, after, now)
	}
	if !reflect.DeepEqual(old, now) {
		t.Fatalf("other values changed:\n%s\nwas\n%s", after, before)
	}
}

// withoutGuards takes the handlers out of a tree that start the guard.
func withoutGuards(t tester, a Agent, text []byte, root map[string]any) {
	t.Helper()
	d, err := parse("f", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	_, list, _ := d.list(a)
	for _, w := range d.guards(a, list) {
		entries := root["hooks"].(map[string]any)[a.event()].([]any)
		if w.handler < 0 {
			entries[w.entry] = nil
		} else {
			entries[w.entry].(map[string]any)["hooks"].([]any)[w.handler] = nil
		}
	}
}

func tree(t tester, text []byte) map[string]any {
	t.Helper()
	plain, err := hujson.Standardize(append(bytes.TrimPrefix(bytes.Clone(text), byteOrderMark), '\n'))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var out map[string]any
	dec := json.NewDecoder(bytes.NewReader(plain))
	dec.UseNumber()
	if err := dec.Decode(&out); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

// keepsComments: what is left without the values is the same.
func keepsComments(t tester, before, after []byte) {
	t.Helper()
	if was, is := comments(before), comments(after); was != is {
		t.Fatalf("comments changed: %q, were %q\n%s", is, was, after)
	}
}

func comments(text []byte) string {
	d, err := parse("f", text)
	if err != nil {
		return ""
	}
	var b strings.Builder
	for i := range d.text {
		if d.text[i] != d.standard[i] && d.text[i] != ',' && d.text[i] != '\r' {
			b.WriteByte(d.text[i])
		}
	}
	return b.String()
}

// genDocument makes objects in all sorts of layouts, with the keys that matter.
func genDocument() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return genExtra(t) + genObject(t, 3) + genExtra(t)
	})
}

func genExtra(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{" ", "\n", "\t", "\n  ", "// c, \"x\": {\n", "/* b */", "/* //\n */"}), 0, 2).Draw(t, "extra"), "")
}

func genValue(t *rapid.T, depth int) string {
	kinds := []string{"1", "true", "null", `"s"`, `"é, // no comment"`, `"assent hook --agent codex"`, `"assent hook || true"`, `"assent hook --agent cursor; exit 0"`, "{", "["}
	if depth == 0 {
		kinds = kinds[:8]
	}
	switch kind := rapid.SampledFrom(kinds).Draw(t, "kind"); kind {
	case "{":
		return genObject(t, depth)
	case "[":
		return genList(t, depth, func() string { return genValue(t, depth-1) })
	default:
		return kind
	}
}

func genObject(t *rapid.T, depth int) string {
	keys := []string{"hooks", "PreToolUse", "preToolUse", "BeforeTool", "matcher", "command", "timeout", "failClosed", "type", "args", "bash", "powershell", "version", "permissions", "a", "b\\n"}
	names := rapid.SliceOfNDistinct(rapid.SampledFrom(keys), 0, 3, rapid.ID[string]).Draw(t, "names")
	var items []string
	for _, name := range names {
		value := ""
		switch {
		case name == "version":
			value = "1"
		case name == "hooks" && depth == 3:
			value = genObject(t, depth-1)
		case strings.Contains(name, "Tool"):
			value = genList(t, depth, func() string { return genValue(t, max(depth-1, 0)) })
		default:
			value = genValue(t, max(depth-1, 0))
		}
		items = append(items, `"`+name+`"`+genExtra(t)+":"+genExtra(t)+value)
	}
	return genItems(t, "{", items, "}")
}

func genList(t *rapid.T, _ int, value func() string) string {
	var items []string
	for range rapid.IntRange(0, 3).Draw(t, "length") {
		items = append(items, value())
	}
	return genItems(t, "[", items, "]")
}

func genItems(t *rapid.T, open string, items []string, end string) string {
	var b strings.Builder
	b.WriteString(open)
	for i, item := range items {
		b.WriteString(genExtra(t) + item + genExtra(t))
		if i < len(items)-1 || rapid.Bool().Draw(t, "trailing") {
			b.WriteByte(',')
		}
	}
	return b.String() + genExtra(t) + end
}
