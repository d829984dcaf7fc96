package rule

import "testing"

const (
	u = "\xff" // shell.Unknown
	g = "\xfe" // shell.Glob
)

func TestP11_UnknownPartsOfACommand(t *testing.T) {
	for _, c := range []struct {
		content, text string
		deny          Match
	}{
		// A mark that a star swallows matches for every value.
		{"rm:*", "rm " + u, Yes},
		{"rm *", "rm -rf " + g, Yes},
		{"git * main", "git push " + u + " main", Yes},
		{"* --version", u + " --version", Yes},
		{"rm*", "rm" + u, Yes},
		{"*", u, Yes},

		// A mark on a literal part matches for some values.
		{"rm:*", "rm" + u, Maybe},
		{"rm:*", u, Maybe},
		{"rm:*", u + " -rf x", Maybe},
		{"rm -rf /", "rm " + u, Maybe},
		{"rm -rf /", "rm -rf " + u, Maybe},
		{"rm -rf /", u + "/", Maybe},
		{"npm publish", "npm " + u, Maybe},
		{"npm publish", "npm pub" + u + "sh", Maybe},
		{"git push --force *", "git push " + u + " origin", Maybe},
		{"* --force", "git push " + u, Maybe},

		// … and never when the known parts differ.
		{"npm publish", "npm test " + u, No},
		{"npm publish", "npm " + u + "x", No},
		{"rm:*", "ls " + u, No},
		{"git push:*", "git pull " + u, No},
		{"* --force", "git push " + u + " --dry-run", No},
		{"a*b*c", "b" + u, No},

		// An expansion may leave no word, or several.
		{"rm -rf", "rm " + u + " -rf", Maybe},
		{"rm -rf", "rm " + u + " " + u + " -rf", Maybe},
		{"rm -rf", u + " rm -rf", Maybe},
		{"rm -rf", u + " " + u + " rm " + u + " -rf", Maybe},
		{"rm", "rm " + u, Maybe},
		{"rm -rf", "rm a" + u + " -rf", No},
		{"a b c", "a " + u + " c", Maybe},
		{"ls", "ls " + g, No},
		{"ls -l", "ls " + g + " -l", No},

		// A glob is a name, without a leading dot.
		{"cat /etc/passwd", "cat /etc/" + g, Maybe},
		{"cat /etc/passwd", "cat /" + g + "/passwd", Maybe},
		{"cat /etc/passwd", "cat " + g, No},
		{"cat /etc/passwd", "cat /" + g, No},
		{"cat .env", "cat " + g, No},
		{"cat .env", "cat ." + g, Maybe},
		{"cat .env", "cat " + g + "env", No},
		{"cat a.env", "cat " + g + "env", Maybe},
		{"cat ./.env", "cat ./" + g, No},
		{"cat *.env", "cat " + g, Maybe},
		{"cat *.env", "cat " + g + ".txt", No},
		{"grep * /etc/*", "grep root " + g, No},
		{"grep * /etc/*", "grep root src/" + g + ".go", No},
		{"grep * /etc/*", "grep root /etc/" + g, Yes},
		{"grep * /etc/*", "grep root /" + g + "/x", Maybe},

		// A glob may become several words of the same kind.
		{"rm a b", "rm " + g, Maybe},
		{"rm src/a src/b", "rm src/" + g, Maybe},
		{"rm src/a src/b src/c -f", "rm src/" + g + " -f", Maybe},
		{"rm src/a.c src/b.c", "rm src/" + g + ".c", Maybe},
		{"rm src/a.c src/b.h", "rm src/" + g + ".c", No},
		{"rm src/a lib/b", "rm src/" + g, No},
	} {
		s := compile(t, "deny Bash("+c.content+")", "ask Bash("+c.content+")", "allow Bash("+c.content+")")
		checkMarks(t, s, c.content, c.text, c.deny)
	}
}

func checkMarks(t *testing.T, s *Set, content, text string, deny Match) {
	t.Helper()
	if content == "*" {
		// A bare rule, found through Tool; here only so that the table is complete.
		if s.Tool("Bash").Deny == nil {
			t.Errorf("Bash(*) is not bare")
		}
		return
	}
	for _, b := range []Behavior{Deny, Ask} {
		if _, got := s.Bash(b, text); got != deny {
			t.Errorf("%v Bash(%s) on %q: %v, want %v", b, content, text, got, deny)
		}
	}
	allow := No
	if deny == Yes {
		allow = Yes
	}
	if _, got := s.Bash(Allow, text); got != allow {
		t.Errorf("allow Bash(%s) on %q: %v, want %v", content, text, got, allow)
	}
}

// Patterns of more than 64 bytes need more than one machine word of states.
func TestP11_LongPatternsWithMarks(t *testing.T) {
	long := "curl --header x-a-rather-long-header-name:value --output /tmp/some/file https://example.com/a/path"
	s := compile(t, "deny Bash("+long+")")
	for text, want := range map[string]Match{
		long[:70] + u:                     Maybe,
		long[:70] + u + long[71:]:         Maybe,
		long[:30] + u + long[90:]:         Maybe,
		u + long[1:]:                      Maybe,
		long[:70] + u + "x":               No,
		long[:len(long)-1] + u + "hh":     No,
		"curl " + u + long[5:60] + u:      Maybe,
		"curl " + u + long[5:60] + u + "": Maybe,
	} {
		if _, got := s.Bash(Deny, text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
