package rule

import (
	"strings"
	"testing"
	"time"
)

func TestP11_BashForms(t *testing.T) {
	for _, c := range []struct {
		content string
		yes, no []string
	}{
		{
			"npm test",
			[]string{"npm test"},
			[]string{"npm", "npm tests", "npm test --x", "npm  test", "xnpm test", ""},
		},
		{
			"npm:*",
			[]string{"npm", "npm x", "npm run test --x"},
			[]string{"npmx", "npm:x", "np", "x npm", ""},
		},
		{
			"npm *",
			[]string{"npm", "npm x", "npm run test --x"},
			[]string{"npmx", "np", "x npm"},
		},
		{"npm run :*", []string{"npm run", "npm run x"}, []string{"npm runx", "npm"}},
		{"npm  *", []string{"npm", "npm x"}, []string{"npmx"}},
		{"npm **", []string{"npm", "npm x"}, []string{"npmx"}},
		{"npm:**", []string{"npm", "npm x"}, []string{"npmx", "npm:x"}},
		{"tk*", []string{"tk", "tkx", "tk a"}, []string{"t", "atk"}},
		{
			"npm run test*",
			[]string{"npm run test", "npm run test:unit", "npm run testx y"},
			[]string{"npm run tes", "npm run", "pnpm run test"},
		},
		{
			"* --version",
			[]string{"npm --version", "a b --version", " --version"},
			[]string{"npm --version x", "--version", "npm --versions"},
		},
		{
			"git * main",
			[]string{"git push main", "git push origin main", "git  main"},
			[]string{"git main", "git push main x", "git push domain/x", "agit push main"},
		},
		{
			"git * push *",
			[]string{"git -C x push", "git -C x push origin", "git a push push"},
			[]string{"git push", "git push origin", "git -C x pushed", "git -C x push2 y"},
		},
		{"* *", []string{"a", "a b", ""}, nil},
		{"**", []string{"", "a", "a b"}, nil},
		{"*a*a*", []string{"aa", "xaxax"}, []string{"a", "xax"}},
		{"a*b*a", []string{"aba", "abba", "a b a"}, []string{"aa", "ab", "ba"}},
		{"ab*ba", []string{"abba", "abxba"}, []string{"aba"}},
		{`pkg \* x`, []string{"pkg * x"}, []string{"pkg a x", `pkg \* x`}},
		{`echo \\`, []string{`echo \`}, []string{`echo \\`}},
		{`echo \\*`, []string{`echo \`, `echo \x`}, []string{`echo *`}},
		{`echo \n`, []string{`echo \n`}, []string{"echo n", `echo \\n`}},
		{`echo \*`, []string{"echo *"}, []string{"echo", "echo x"}},
		{`echo\:*`, []string{`echo\`, `echo\ x`}, []string{"echo:*", "echo:"}},
		{"git:* push", []string{"git: push", "git:x push"}, []string{"git push"}},
		{"[:*", []string{"[", "[ -f x ]"}, []string{"[["}},
		{
			"curl -s http://localhost:3000/*",
			[]string{"curl -s http://localhost:3000/", "curl -s http://localhost:3000/a b"},
			[]string{"curl -s http://localhost:3001/"},
		},
	} {
		s := compile(t, "allow Bash("+c.content+")", "deny Bash("+c.content+")")
		for _, text := range c.yes {
			checkBash(t, s, c.content, text, Yes)
		}
		for _, text := range c.no {
			checkBash(t, s, c.content, text, No)
		}
	}
}

func checkBash(t *testing.T, s *Set, content, text string, want Match) {
	t.Helper()
	for _, b := range []Behavior{Allow, Deny} {
		r, got := s.Bash(b, text)
		if got != want || (r != nil) != (want != No) {
			t.Errorf("%v Bash(%s) on %q: %v, want %v", b, content, text, got, want)
		}
	}
}

// S16: seed rules such as `git.*` look like regular expressions and are none.
func TestS16_NeverARegularExpression(t *testing.T) {
	s := compile(t, "allow Bash(git.*)", "allow Bash(^ls$)", "allow Bash(a|b)", "allow Bash(x+)", "allow Bash([ab])", "allow Bash(cat ?)")
	for _, text := range []string{"git status", "git", "gitx", "ls", "a", "b", "xx", "cat x"} {
		if r, m := s.Bash(Allow, text); m != No {
			t.Errorf("%q is allowed by %s", text, r)
		}
	}
	for _, text := range []string{"git.", "git.x", "^ls$", "a|b", "x+", "[ab]", "cat ?"} {
		if _, m := s.Bash(Allow, text); m != Yes {
			t.Errorf("%q is not taken literally", text)
		}
	}
}

func TestP11_FirstRuleInListOrderIsNamed(t *testing.T) {
	s := compile(t, "deny Bash(git push --force)", "deny Bash(git:*)", "deny Bash(* --force)", "deny Bash(git push:*)")
	for text, want := range map[string]string{
		"git push --force": "Bash(git push --force)",
		"git push":         "Bash(git:*)",
		"npm i --force":    "Bash(* --force)",
	} {
		if r, m := s.Bash(Deny, text); r == nil || r.String() != want || m != Yes {
			t.Errorf("%q: %v %v, want %s", text, r, m, want)
		}
	}
}

func TestP11_SureBeforePossible(t *testing.T) {
	s := compile(t, "deny Bash(rm -rf /)", "deny Bash(rm:*)")
	if r, m := s.Bash(Deny, "rm \xff"); m != Yes || r.String() != "Bash(rm:*)" {
		t.Errorf("got %v %v, want the rule that matches whatever the value is", r, m)
	}
}

func TestP11_HasBash(t *testing.T) {
	s := compile(t, "deny Bash(rm:*)", "ask *", "allow Read")
	if !s.HasBash(Deny) || !s.HasBash(Ask) || s.HasBash(Allow) || s.HasBash(0) || s.HasBash(9) {
		t.Errorf("HasBash: deny %v, ask %v, allow %v", s.HasBash(Deny), s.HasBash(Ask), s.HasBash(Allow))
	}
	if compile(t, "deny Bash").HasBash(Deny) != true {
		t.Error("a bare rule counts")
	}
}

// A pattern and a text of thousands of the same letter must not take exponential
// time: a matcher that tries every star again would not end today.
func TestP11_NoBlowUp(t *testing.T) {
	pattern := strings.Repeat("a*", 200) + "b"
	letters := strings.Repeat("a", 20000)
	s := compile(t, "deny Bash("+pattern+")", "deny Bash(*"+pattern+"*c)")
	start := time.Now()
	for text, want := range map[string]Match{
		letters:                                No,
		letters + "b":                          Yes,
		letters + "\xff":                       Maybe,
		"\xfe" + letters:                       No,
		letters + "\xfe" + letters:             No,
		letters + "\xfe" + "b":                 Yes,
		strings.Repeat("\xffa", 5000) + "\xfe": Maybe,
	} {
		if _, got := s.Bash(Deny, text); got != want {
			t.Errorf("%.10q… of length %d: %v, want %v", text, len(text), got, want)
		}
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}
