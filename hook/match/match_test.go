package match

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

var someTools = []string{"Bash", "Write", "NotebookEdit", "process_refund", "mcp__pay__process_refund", "mcp__ship-it__send", "BashOutput"}

func TestH2_Matchers(t *testing.T) {
	tests := []struct {
		matcher string
		want    []string
	}{
		{"", someTools},
		{"*", someTools},
		{" * ", someTools},
		{"  ", someTools},
		{"Bash", []string{"Bash"}},
		{"bash", nil},
		{"as", nil},
		{"Bash|Write", []string{"Bash", "Write"}},
		{"Bash | Write", []string{"Bash", "Write"}},
		{"Bash,Write", []string{"Bash", "Write"}},
		{" Bash ,, Write| ", []string{"Bash", "Write"}},
		{"mcp__pay", nil},
		{"mcp__ship-it__send", []string{"mcp__ship-it__send"}},
		{"Ba.*", []string{"Bash", "BashOutput"}},
		{"W.", []string{"Write"}},
		{"^Write$", []string{"Write"}},
		{".*", someTools},
		{"mcp__.*", []string{"mcp__pay__process_refund", "mcp__ship-it__send"}},
		{"^mcp__pay__", []string{"mcp__pay__process_refund"}},
		{"ba.h", nil},
		{"(?i)ba.h$", []string{"Bash"}},
		{"Notebook(Edit|Read)", []string{"NotebookEdit"}},
		{"Bash(tk:*)", nil},
	}
	for _, test := range tests {
		t.Run(test.matcher, func(t *testing.T) {
			m, err := Parse(test.matcher)
			if err != nil || m.Broken() || m.String() != test.matcher {
				t.Fatalf("%q, broken %t, %v", m, m.Broken(), err)
			}
			var got []string
			for _, tool := range someTools {
				if m.Match(tool) {
					got = append(got, tool)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("matches %q, want %q", got, test.want)
			}
		})
	}
}

func TestH2_MCPToolNamePrefixTrap(t *testing.T) {
	for matcher, wantMCP := range map[string]bool{"process_refund": false, ".*process_refund": true} {
		m, err := Parse(matcher)
		if err != nil || !m.Match("process_refund") || m.Match("mcp__payments__process_refund") != wantMCP {
			t.Errorf("%s: %v, built in %t, of a server %t", matcher, err, m.Match("process_refund"), m.Match("mcp__payments__process_refund"))
		}
	}
}

// What a hook was meant to guard is not known when its matcher cannot be understood.
func TestS22_ABrokenMatchesEverythingAndSaysSo(t *testing.T) {
	tests := []struct{ matcher, want string }{
		{"[", "missing closing ]"},
		{"Bash(", "missing closing )"},
		{"*Bash", "missing argument to repetition operator"},
		{"^(?!Read).*", "looking ahead or behind is not supported"},
		{"Bash(*)", "looks like a permission rule"},
		{"Bash(\xff)", "invalid UTF-8"},
		{strings.Repeat("(a?){1000}", 101), "more than the 1000"},
		{"|", "names nothing"},
		{" , ", "names nothing"},
	}
	for _, test := range tests {
		m, err := Parse(test.matcher)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: error %v, want %q", test.matcher, err, test.want)
		}
		if !m.Broken() || !m.Match("Bash") || !m.Match("") || m.String() != test.matcher {
			t.Errorf("%q: got %#v", test.matcher, m)
		}
	}
	if (Matcher{}).Broken() || !(Matcher{}).Match("Bash") {
		t.Error("no matcher is everything, and not broken")
	}
}

func TestS22_MatchersThatHardlyMeanWhatTheySay(t *testing.T) {
	tests := []struct{ matcher, want string }{
		{"Bash(tk:*)", "looks like a permission rule"},
		{"Bash(ls)", "looks like a permission rule"},
		{"Read(./secrets/**)", ""}, // does not compile
		{"Read(./secrets/.env)", "looks like a permission rule"},
		{"Bash(cat x | sh)", "looks like a permission rule"},
		{"WebFetch(domain:example.org)", "looks like a permission rule"},
		{" Ba.*", "the blanks around it are part of it"},
		{"Bash Write", "one name with a blank in it"},
		{"", ""},
		{"*", ""},
		{"Bash", ""},
		{"Bash | Write", ""},
		{"mcp__.*", ""},
		{"(Edit|Write)", ""},
		{"Notebook(Edit|Read)", ""},
		{"mcp__pay__(refund.*|pay.*)", ""},
		{"Write(.*)", ""},
	}
	for _, test := range tests {
		m, _ := Parse(test.matcher)
		got := m.Warning()
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%q: warning %q, want %q", test.matcher, got, test.want)
		}
	}
}

func TestH2_NamesOfAMatcher(t *testing.T) {
	for text, want := range map[string][]string{"Bash | Write,": {"Bash", "Write"}, "Ba.*": nil, "*": nil, "[": nil} {
		m, _ := Parse(text)
		if got := m.Names(); !slices.Equal(got, want) {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestMatchingDoesNotAllocate(t *testing.T) {
	for _, text := range []string{"", "Read|Edit|Bash", "^mcp__.*refund$"} {
		m, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		// The race detector makes pools forget a quarter of what they keep, so that a
		// regular expression allocates now and then: on average less than once. Only
		// many runs come close to that average.
		if n := testing.AllocsPerRun(5000, func() { m.Match("mcp__pay__process_refund") }); n != 0 {
			t.Errorf("%q: %v allocations", text, n)
		}
	}
}

// FuzzMatcher: a matcher is everything, a list of whole names or a regular expression;
// only a broken one comes with an error, and then it matches everything.
func FuzzMatcher(f *testing.F) {
	for _, seed := range []string{"", "*", "Bash|Write", "Ba.*", "[", "Bash(tk:*)", " , ", "(?i)x", "^(?!a)", "a\xff", "Ｂash"} {
		f.Add(seed, "Bash")
	}
	f.Fuzz(func(t *testing.T, text, subject string) {
		m, err := Parse(text)
		_ = m.Warning()
		names := strings.FieldsFunc(text, func(r rune) bool { return r == '|' || r == ',' })
		for i := range names {
			names[i] = strings.Trim(names[i], " \t\r\n")
		}
		switch plain := strings.Trim(text, " \t\r\n"); {
		case m.String() != text:
			t.Fatalf("%q became %q", text, m)
		case m.Broken() != (err != nil), err != nil && !m.Match(subject):
			t.Fatalf("%q: broken %t, %v, matches %t", text, m.Broken(), err, m.Match(subject))
		case err != nil:
		case plain == "" || plain == "*":
			if !m.Match(subject) {
				t.Fatalf("%q does not match %q", text, subject)
			}
		case strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-|, \t\r\n") == "":
			if want := subject != "" && slices.Contains(names, subject); m.Match(subject) != want {
				t.Fatalf("list %q, %q: got %t", text, subject, !want)
			}
		default:
			if want := regexp.MustCompile(text).MatchString(subject); m.Match(subject) != want {
				t.Fatalf("expression %q, %q: got %t", text, subject, !want)
			}
		}
	})
}

// Whether a hook that is held back would judge a call.
func TestS33_HeldBackHooksJudge(t *testing.T) {
	for _, c := range []struct {
		matcher, tool string
		want          bool
	}{
		{"", "Bash", true},
		{"*", "Bash", true},
		{"Bash", "Bash", true},
		{"Bash", "BashOutput", false},
		{"Edit | Write", "Write", true},
		{"Edit,Write", "Write", true},
		{"mcp__.*", "mcp__a__b", true},
		{"^Ba", "Bash", true},
		{"^Ba$", "Bash", false},
		{"(", "Bash", true}, // cannot be understood: for every tool
	} {
		if got := Judges("PreToolUse", c.matcher, c.tool); got != c.want {
			t.Errorf("Judges(%q, %q) = %v", c.matcher, c.tool, got)
		}
	}
	for event, want := range map[string]bool{"PreToolUse": true, "pre_tool_use": true, "PostToolUse": false, "": false} {
		if got := Judges(event, "*", "Bash"); got != want {
			t.Errorf("%q: %v", event, got)
		}
	}
}

func TestNearly(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"matcher", "matcher", true},
		{"macher", "matcher", true},
		{"matchers", "matcher", true},
		{"mathcer", "matcher", true},
		{"natcher", "matcher", true},
		{"mtchr", "matcher", false},
		{"permisionDescision", "permissionDecision", true},
		{"", "matcher", false},
	} {
		if got := Nearly(c.a, c.b); got != c.want {
			t.Errorf("Nearly(%q, %q) = %v", c.a, c.b, got)
		}
	}
}

func TestS33_AnEventWithASlipIsHeldBackToo(t *testing.T) {
	for event, want := range map[string]bool{
		"PreToolUse": true, "pre_tool_use": true, "PreToolUses": true, "PerToolUse": true,
		"PostToolUse": false, "PreCompact": false, "PreTool": false, "": false, "UseToolPre": false,
	} {
		if got := MeansPreToolUse(event); got != want {
			t.Errorf("MeansPreToolUse(%q) = %v", event, got)
		}
	}
}

// A workspace that nobody has trusted may have a hook for either name of the tool that
// starts agents.
func TestS33_JudgesEitherName(t *testing.T) {
	for _, matcher := range []string{"Task", "Agent", "^Agent$"} {
		for _, tool := range []string{"Task", "Agent"} {
			if !Judges("PreToolUse", matcher, tool) {
				t.Errorf("%s does not judge %s", matcher, tool)
			}
		}
	}
	if Judges("PreToolUse", "Agent", "TaskOutput") {
		t.Error("it judges another tool")
	}
}
