package custom

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func texts(entries []Entry) []string {
	var all []string
	for _, e := range entries {
		all = append(all, e.Text)
	}
	return all
}

func TestS43_FrontMatterOfACommand(t *testing.T) {
	for name, tt := range map[string]struct {
		text  string
		want  Command
		fault string // "LINE: text" that must be part of the fault
	}{
		"none":      {text: "Do it.\n", want: Command{Body: "Do it."}},
		"all keys":  {text: "---\ndescription: Ships: it\nargument-hint: [env] [tag]\nallowed-tools: Bash(git add:*), Read\nmodel: opus\nother: {a: b}\n---\nGo", want: Command{Description: "Ships: it", ArgumentHint: "[env] [tag]", Allow: []Entry{{"Bash(git add:*), Read", 4}}, Model: "opus", Body: "Go"}},
		"lines":     {text: "---\nallowed-tools:\n  - Read\n  - \"Bash(a, b)\"\n---\nGo", want: Command{Allow: []Entry{{"Read", 3}, {"Bash(a, b)", 4}}, Body: "Go"}},
		"flow":      {text: "---\nallowed-tools: [Read, 'Bash(a, b)', \"Edit\", Bash(x, y)]\n---\nGo", want: Command{Allow: []Entry{{"Read", 2}, {"Bash(a, b)", 2}, {"Edit", 2}, {"Bash(x, y)", 2}}, Body: "Go"}},
		"block":     {text: "---\ndescription: |\n  one\n  # two\nmodel: inherit\n---\nGo", want: Command{Description: "one\n# two", Body: "Go"}},
		"folded":    {text: "---\ndescription: >-\n  one\n  two\n---\nGo", want: Command{Description: "one two", Body: "Go"}},
		"quoted":    {text: "---\ndescription: 'it''s'\nmodel: \"a\\tb\"\n---\nGo", want: Command{Description: "it's", Model: "a\tb", Body: "Go"}},
		"windows":   {text: "\uFEFF---\r\ndescription: a\r\n---\r\nGo\r\n", want: Command{Description: "a", Body: "Go"}},
		"comments":  {text: "---\n# a\n\nmodel: m\n  # b\n---\nGo", want: Command{Model: "m", Body: "Go"}},
		"odd other": {text: "---\nother: \"open\n  - x\n  y: z\nmodel: m\n---\nGo", want: Command{Model: "m", Body: "Go"}},
		"a rule":    {text: "Go\n---\nallowed-tools: Bash\n---\n", want: Command{Body: "Go\n---\nallowed-tools: Bash\n---"}},

		"no end":         {text: "---\nmodel: m\nGo\n", fault: "3: "},
		"never ends":     {text: "---\nmodel: m\n", fault: "1: the front matter has no end"},
		"only a fence":   {text: "---", fault: "1: the front matter has no end"},
		"twice":          {text: "---\nallowed-tools: Read\nmodel: m\nallowed-tools: Bash\n---\nGo", fault: "4: allowed-tools stands here a second time (first in line 2)"},
		"no colon":       {text: "---\nallowed-tools Bash\n---\nGo", fault: "2: "},
		"no blank":       {text: "---\nmodel:m\n---\nGo", fault: "2: "},
		"no key":         {text: "---\n  - Bash\n---\nGo", fault: "2: this line belongs to no key"},
		"value and list": {text: "---\nallowed-tools: Read\n  - Bash\n---\nGo", fault: "3: allowed-tools has a value already"},
		"goes on":        {text: "---\nallowed-tools: Read,\n  Bash\n---\nGo", fault: "3: the value of allowed-tools goes on here"},
		"open list":      {text: "---\nallowed-tools: [Read\n---\nGo", fault: "2: the list of allowed-tools has no end"},
		"open quote":     {text: "---\ndescription: \"a\n---\nGo", fault: "2: description: the quotes"},
		"list as text":   {text: "---\nmodel:\n- a\n---\nGo", fault: "3: model is one text"},
		"text goes on":   {text: "---\nmodel: a\n  b\n---\nGo", fault: "3: the value of model goes on"},
		"no prompt":      {text: "---\nmodel: m\n---\n \n", fault: "4: there is no prompt"},
		"empty":          {text: "", fault: "1: there is no prompt"},
	} {
		t.Run(name, func(t *testing.T) {
			got := readCommand(file{at: "f.md", name: "n", text: tt.text})
			if tt.fault != "" {
				if got.Fault == nil || !strings.HasPrefix(got.Fault.Error(), "f.md:"+tt.fault) {
					t.Errorf("fault %v, want %s", got.Fault, tt.fault)
				}
				return
			}
			if got.Fault != nil {
				t.Fatal(got.Fault)
			}
			if got.Description != tt.want.Description || got.ArgumentHint != tt.want.ArgumentHint || got.Model != tt.want.Model || got.Body != tt.want.Body || !slices.Equal(got.Allow, tt.want.Allow) {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestS43_WhatCallsACommand(t *testing.T) {
	for prompt, want := range map[string]string{
		"/ship": "ship|", "/ship now": "ship|now", "/ship\nnow\n": "ship|now", "/team:ship  a  b ": "team:ship|a  b", "/A_b-1\tx": "A_b-1|x",
		"/etc/hosts is wrong": "", "/../ship": "", "/ship.md": "", "/": "", "/ ship": "", " /ship": "", "ship": "", "//ship": "", "/shîp": "", "/a\\b": "", "/ship\x00": "",
	} {
		got := ""
		if name, arguments, ok := Called(prompt); ok {
			got = name + "|" + arguments
		}
		if got != want {
			t.Errorf("%q: %q, want %q", prompt, got, want)
		}
	}
}

func TestS43_Arguments(t *testing.T) {
	for _, tt := range []struct{ body, arguments, want string }{
		{"Ship $ARGUMENTS now", "a b", "Ship a b now"},
		{"$1-$2-$3", "a 'b c'", "a-b c-"},
		{"$1 of $ARGUMENTS", `"x y" z`, `x y of "x y" z`},
		{"Ship", "a b", "Ship\n\nArguments: a b"},
		{"Ship", "", "Ship"},
		{"Ship $ARGUMENTS", "", "Ship "},
		{"$1", "$2 $ARGUMENTS", "$2"}, // what arguments say is not looked at again
		{"$ARGUMENTS", "$1", "$1"},
		{"costs $10 and $0, $ and $x", "", "costs $10 and $0, $ and $x"},
		{"$9$1", "1 2 3 4 5 6 7 8 nine", "nine1"},
		{"$1|$2", "it's fine", "it's|fine"},
		{"!`rm -rf /` @file $1", "x", "!`rm -rf /` @file x"}, // nothing of it is run or read
	} {
		c := Command{Body: tt.body}
		if got := c.Expand(tt.arguments); got != tt.want {
			t.Errorf("%q with %q: %q, want %q", tt.body, tt.arguments, got, tt.want)
		}
	}
}

func TestS43_WhichFilesAreCommands(t *testing.T) {
	work, outside := t.TempDir(), t.TempDir()
	at := func(name string) string { return filepath.Join(work, ".claude", "commands", name) }
	put(t, filepath.Join(outside, "secret.md"), "secret")
	put(t, filepath.Join(work, ".claude", "settings.md"), "beside")
	put(t, at("ship.md"), "a")
	put(t, at("team/deep/x.md"), "c")
	put(t, at("notes.txt"), "d")
	put(t, at(".hidden.md"), "e")
	put(t, at(".git/x.md"), "f")
	put(t, at("with blank.md"), "g")
	put(t, at("a:b.md"), "h")
	put(t, at("large.md"), strings.Repeat("x", maxFile+1))
	put(t, at("latin.md"), "ok\nb\xe9\n")
	put(t, at("dir.md/y.md"), "i")
	for name, target := range map[string]string{
		"inside.md": "ship.md", "out.md": filepath.Join(outside, "secret.md"), "up.md": "../settings.md", "gone.md": "nowhere.md", "loop.md": "loop.md",
		"team/also.md": "../ship.md", "linked": outside, "zero.md": "/dev/zero",
	} {
		if err := os.Symlink(target, at(name)); err != nil {
			t.Fatal(err)
		}
	}
	set := ReadBelow(work)
	var good, bad []string
	for _, c := range set.Commands {
		if c.Fault == nil {
			good = append(good, c.Name+"="+c.Body)
		} else {
			bad = append(bad, c.Name)
			if c.Body != "" || c.Sum != "" {
				t.Errorf("%s has content: %+v", c.Name, c)
			}
		}
	}
	if want := []string{"inside=a", "ship=a", "team:also=a", "team:deep:x=c"}; !slices.Equal(slices.Sorted(slices.Values(good)), want) {
		t.Errorf("commands %q", good)
	}
	if want := []string{"dir", "gone", "large", "latin", "loop", "out", "up", "zero"}; !slices.Equal(slices.Sorted(slices.Values(bad)), want) {
		t.Errorf("broken %q", bad)
	}
	var left []string
	for _, f := range set.Faults {
		left = append(left, filepath.Base(f.File))
	}
	if want := []string{"a:b.md", "linked", "with blank.md"}; !slices.Equal(slices.Sorted(slices.Values(left)), want) {
		t.Errorf("left out %q", left)
	}
	for _, c := range set.Commands {
		if c.Name == "latin" && !strings.Contains(c.Fault.Error(), "latin.md:2: ") {
			t.Error(c.Fault)
		}
	}
}

// A workspace cannot point at the directories of others; a user may.
func TestS43_ADirectoryThatIsALink(t *testing.T) {
	work, outside := t.TempDir(), t.TempDir()
	put(t, filepath.Join(outside, "commands", "ship.md"), "a")
	if err := os.Symlink(outside, filepath.Join(work, ".claude")); err != nil {
		t.Fatal(err)
	}
	if got := ReadBelow(work); len(got.Commands) > 0 || len(got.Faults) == 0 {
		t.Errorf("%+v", got)
	}
	if got := Read(filepath.Join(work, ".claude")); len(got.Commands) != 1 || len(got.Faults) > 0 {
		t.Errorf("%+v", got)
	}
	if got := ReadBelow(t.TempDir()); !got.Empty() {
		t.Errorf("%+v", got)
	}
}

func TestS43_TooMuchIsLeftOut(t *testing.T) {
	work := t.TempDir()
	dir := filepath.Join(work, ".claude", "commands")
	for i := range maxEntries + 1 {
		put(t, filepath.Join(dir, "many", "c"+strings.Repeat("x", i%3)+string(rune('a'+i%26))+strings.Repeat("y", i/26)+".md"), "x")
	}
	put(t, filepath.Join(dir, strings.Repeat("d/", maxDepth+1)+"x.md"), "x")
	put(t, filepath.Join(dir, "one.md"), "x")
	set := ReadBelow(work)
	if len(set.Commands) != 1 || set.Commands[0].Name != "one" || len(set.Faults) != 2 {
		t.Errorf("%d commands, %+v", len(set.Commands), set.Faults)
	}
	odd := t.TempDir()
	for i := range 3 * maxFaults {
		put(t, filepath.Join(odd, ".claude", "agents", strings.Repeat("ü", i+1)+".md"), "x")
	}
	if set := ReadBelow(odd); len(set.Faults) != maxFaults+1 {
		t.Errorf("%d faults", len(set.Faults))
	}
}

func FuzzS43_Command(f *testing.F) {
	f.Add("---\nallowed-tools: [Read, \"x\"]\ndescription: |\n  a\n---\nGo $1 $ARGUMENTS", "a 'b")
	f.Add("---\nmodel: 'a''b'\n- x\n---\n$", "$1")
	f.Fuzz(func(t *testing.T, text, arguments string) {
		c := readCommand(file{at: "f", name: "n", text: text})
		if c.Fault != nil {
			if c.Fault.Line < 1 || c.Fault.Line > 2+strings.Count(text, "\n") || c.Fault.File != "f" {
				t.Errorf("%+v", c.Fault)
			}
			return
		}
		if c.Body == "" || !strings.Contains(text, c.Body) {
			t.Errorf("body %q", c.Body)
		}
		for _, e := range texts(c.Allow) {
			if e == "" || !strings.Contains(text, "allowed-tools") {
				t.Errorf("rule %q of %q", e, text)
			}
		}
		if got := c.Expand(arguments); arguments != "" && !strings.ContainsRune(c.Body, '$') && !strings.HasSuffix(got, arguments) {
			t.Errorf("%q lost %q", got, arguments)
		}
	})
}
