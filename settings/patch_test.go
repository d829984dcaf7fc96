package settings

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

func ruleUpdate(t permission.UpdateType, b rule.Behavior, texts ...string) permission.Update {
	return permission.Update{Type: t, Behavior: b, Rules: texts}
}

func dirUpdate(t permission.UpdateType, dirs ...string) permission.Update {
	return permission.Update{Type: t, Directories: dirs}
}

// commented is a file that a person cares for.
const commented = `// Team settings, keep sorted
{
    "theme": "dark", // not ours
    "permissions": {
        // never publish
        "deny": [
            "Bash(npm publish)", // ask Ann
            /* dangerous */
            "Bash(rm -rf *)", // really
        ],
        "allow": ["Bash(npm test)", "Bash(npm:*)"], /* fast */
        "additionalDirectories": [
            // shared
            "../lib"
        ]
    },
    "zeta": [1, 2.50, {"x": null}]
    // the end
}
`

func TestP18_PatchKeepsTheRestOfTheFile(t *testing.T) {
	for _, c := range []struct {
		name, text string
		u          permission.Update
		want       string
	}{
		{
			"new file", "", ruleUpdate(permission.AddRules, rule.Allow, "Bash(tk:*)"),
			"{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(tk:*)\"\n    ]\n  }\n}\n",
		},
		{
			"two rules into a new file", "", ruleUpdate(permission.AddRules, rule.Deny, "Bash(a)", "Bash(b)"),
			"{\n  \"permissions\": {\n    \"deny\": [\n      \"Bash(a)\",\n      \"Bash(b)\"\n    ]\n  }\n}\n",
		},
		{
			"mode into a new file", "",
			permission.Update{Type: permission.SetMode, Mode: permission.AcceptEdits},
			"{\n  \"permissions\": {\n    \"defaultMode\": \"acceptEdits\"\n  }\n}\n",
		},
		{
			"one line stays one line", `{"permissions": {"allow": ["Bash(a)"]}}`, ruleUpdate(permission.AddRules, rule.Allow, "Bash(b)"),
			`{"permissions": {"allow": ["Bash(a)", "Bash(b)"]}}`,
		},
		{
			"new list on one line", `{"permissions": {"allow": []}}`, ruleUpdate(permission.AddRules, rule.Ask, "Bash(b)"),
			`{"permissions": {"allow": [], "ask": ["Bash(b)"]}}`,
		},
		{
			"new object beside a key", "{\n\t\"theme\": 1\n}", ruleUpdate(permission.AddRules, rule.Ask, "Bash(b)"),
			"{\n\t\"theme\": 1,\n\t\"permissions\": {\n\t\t\"ask\": [\n\t\t\t\"Bash(b)\"\n\t\t]\n\t}\n}",
		},
		{
			"line ends of Windows", "{\r\n  \"theme\": 1\r\n}\r\n",
			permission.Update{Type: permission.SetMode, Mode: permission.Plan},
			"{\r\n  \"theme\": 1,\r\n  \"permissions\": {\r\n    \"defaultMode\": \"plan\"\r\n  }\r\n}\r\n",
		},
		{
			"byte order mark", "\xef\xbb\xbf{}",
			permission.Update{Type: permission.SetMode, Mode: permission.Plan},
			"\xef\xbb\xbf{\n  \"permissions\": {\n    \"defaultMode\": \"plan\"\n  }\n}",
		},
		{
			"add keeps comments", commented, ruleUpdate(permission.AddRules, rule.Deny, "Bash(x)"),
			strings.Replace(commented, "*)\", // really\n", "*)\", // really\n            \"Bash(x)\"\n", 1),
		},
		{"add what is there", commented, ruleUpdate(permission.AddRules, rule.Deny, "Bash( rm -rf * )"), commented},
		{
			"add what is there otherwise", commented, ruleUpdate(permission.AddRules, rule.Ask, "Bash(npm publish)"),
			strings.Replace(commented, "\"../lib\"\n        ]\n", "\"../lib\"\n        ],\n        \"ask\": [\n            \"Bash(npm publish)\"\n        ]\n", 1),
		},
		{
			"remove takes its comment along", commented, ruleUpdate(permission.RemoveRules, rule.Deny, "Bash(npm publish)"),
			strings.Replace(commented, "            \"Bash(npm publish)\", // ask Ann\n", "", 1),
		},
		{
			"remove the last", commented, dirUpdate(permission.RemoveDirectories, "../lib/."),
			strings.Replace(commented, "[\n            // shared\n            \"../lib\"\n        ]", "[]", 1),
		},
		{
			"remove one of a line", commented, ruleUpdate(permission.RemoveRules, rule.Allow, "Bash(npm test)"),
			strings.Replace(commented, `["Bash(npm test)", "Bash(npm:*)"]`, `["Bash(npm:*)"]`, 1),
		},
		{"remove what is not there", commented, ruleUpdate(permission.RemoveRules, rule.Ask, "Bash(npm test)"), commented},
		{"remove a list from a file that has none", `{"theme": 1}`, ruleUpdate(permission.ReplaceRules, rule.Ask), `{"theme": 1}`},
		{
			"replace one list only", commented, ruleUpdate(permission.ReplaceRules, rule.Allow, "Bash(b)"),
			strings.Replace(commented, `["Bash(npm test)", "Bash(npm:*)"]`, `["Bash(b)"]`, 1),
		},
		{
			"replace keeps what stays", `{"permissions": {"deny": ["Bash(a)", "Bash(b)", "Bash(c)"]}}`,
			ruleUpdate(permission.ReplaceRules, rule.Deny, "Bash(c)", "Bash(d)", "Bash(a)", "Bash(d)"),
			`{"permissions": {"deny": ["Bash(c)", "Bash(d)", "Bash(a)"]}}`,
		},
		{
			"mode that is there", "{\n  \"permissions\": {\"defaultMode\": /* x */ \"auto\"} // y\n}",
			permission.Update{Type: permission.SetMode, Mode: permission.Plan},
			"{\n  \"permissions\": {\"defaultMode\": /* x */ \"plan\"} // y\n}",
		},
		{
			"comment in an empty list", "{\n  \"permissions\": {\n    \"allow\": [ // none yet\n    ]\n  }\n}", ruleUpdate(permission.AddRules, rule.Allow, "Bash(a)"),
			"{\n  \"permissions\": {\n    \"allow\": [ // none yet\n      \"Bash(a)\"\n    ]\n  }\n}",
		},
		{
			"a rule that needs escapes", "{}", ruleUpdate(permission.AddRules, rule.Allow, "Bash(echo \"<é>\" \\*)"),
			"{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(echo \\\"<é>\\\" \\\\*)\"\n    ]\n  }\n}",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			p, err := locate(w.Options)
			if err != nil {
				t.Fatal(err)
			}
			text := []byte(c.text)
			if c.text == "" {
				text = nil
			}
			got, err := p.patch("f", text, rule.ProjectSettings, []permission.Update{c.u})
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("got\n%s\nwant\n%s\n%q", got, c.want, got)
			}
		})
	}
}

func TestPatchWritesDirectoriesInFullForTheUser(t *testing.T) {
	w := newWorld(t)
	p, err := locate(w.Options)
	if err != nil {
		t.Fatal(err)
	}
	for dest, want := range map[rule.Source]string{rule.UserSettings: w.Dir + "/sub", rule.LocalSettings: "./sub"} {
		got, err := p.patch("f", []byte(`{}`), dest, []permission.Update{dirUpdate(permission.AddDirectories, "./sub")})
		if err != nil || !strings.Contains(string(got), `"`+want+`"`) {
			t.Errorf("%v: %s %v", dest, got, err)
		}
	}
}

func TestPatchRefusesABrokenFile(t *testing.T) {
	w := newWorld(t)
	p, err := locate(w.Options)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "{", `{"a": 1, "a": 2}`, `{"permissions": {"allow": "Bash"}}`} {
		_, err := p.patch("f", []byte(text), rule.LocalSettings, []permission.Update{ruleUpdate(permission.AddRules, rule.Allow, "Bash(a)")})
		if _, ok := errors.AsType[*BrokenError](err); !ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Whatever the file looked like and whatever is done to it: it can be read
// afterwards, the lists say what a plain model of them says, and nothing else has
// changed.
func TestPatchAgreesWithAModel(t *testing.T) {
	layouts := []string{
		"", "{}", "{\n}\n", commented, `{"permissions":{}}`, `{"permissions":{"allow":["Bash(r0)","Bash(r1)"]}}`,
		"{ // a\n\"permissions\": // b\n{ /* c */ \"allow\" /* d */ : /* e */ [ // f\n\"Bash(r0)\" // g\n, /* h */ \"Bash(r1)\" /* i */ , // j\n] // k\n, } // l\n, } // m",
		"{\"permissions\": {\"deny\": [\n  \"Bash(r2)\"\n  // tail\n]}}",
	}
	o := newWorld(t).Options
	rapid.Check(t, func(t *rapid.T) {
		p, err := locate(o)
		if err != nil {
			t.Fatal(err)
		}
		text := []byte(rapid.SampledFrom(layouts).Draw(t, "layout"))
		if len(text) == 0 {
			text = nil
		}
		texts := rapid.SliceOfN(rapid.SampledFrom([]string{"Bash(r0)", "Bash(r1)", "Bash(r2)", "Bash(r3)", "Read"}), 0, 4)
		for range rapid.IntRange(1, 6).Draw(t, "updates") {
			u := permission.Update{
				Type:     rapid.SampledFrom([]permission.UpdateType{permission.AddRules, permission.RemoveRules, permission.ReplaceRules}).Draw(t, "type"),
				Behavior: rapid.SampledFrom([]rule.Behavior{rule.Allow, rule.Deny}).Draw(t, "behavior"),
				Rules:    texts.Draw(t, "rules"),
			}
			next, err := p.patch("f", text, rule.LocalSettings, []permission.Update{u})
			if err != nil {
				t.Fatalf("%v after\n%s", err, text)
			}
			want, got := model(lists(t, text), u), lists(t, next)
			if got != want {
				t.Fatalf("%v of %v on\n%s\ngives\n%s\nwhich says %s, want %s", u.Type, u.Rules, text, next, got, want)
			}
			text = next
		}
	})
}

// lists shows the allow and deny lists of a text.
func lists(t *rapid.T, data []byte) [2]string {
	if data == nil {
		return [2]string{}
	}
	c, broken := understand("f", string(data))
	if broken != nil {
		t.Fatalf("%v in\n%s", broken, data)
	}
	show := func(list []rule.Written) string {
		var all []string
		for _, e := range list {
			all = append(all, e.Text)
		}
		return strings.Join(all, " ")
	}
	return [2]string{show(c.allow), show(c.deny)}
}

func model(before [2]string, u permission.Update) [2]string {
	i := 0
	if u.Behavior == rule.Deny {
		i = 1
	}
	list := splitList(before[i], rule.Allow)
	index := func(text string) int {
		for j, have := range list {
			if have == text {
				return j
			}
		}
		return -1
	}
	if u.Type == permission.ReplaceRules {
		list = nil
	}
	for _, text := range u.Rules {
		j := index(text)
		switch {
		case u.Type == permission.RemoveRules && j >= 0:
			list = append(list[:j:j], list[j+1:]...)
		case u.Type != permission.RemoveRules && j < 0:
			list = append(list, text)
		}
	}
	before[i] = strings.Join(list, " ")
	return before
}
