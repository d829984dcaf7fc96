package rule

import "testing"

func TestP16_UnknownPartsOfAPath(t *testing.T) {
	for _, c := range []struct {
		content, path string
		want          Match
	}{
		// A glob stays in its directory and finds no dot files.
		{"//s/*", "/s/" + g, Yes},
		{"//s/**", "/s/" + g + "/x", Yes},
		{"//s/*.pem", "/s/" + g + ".pem", Yes},
		{"//s/*.pem", "/s/" + g, Maybe},
		{"//s/*.pem", "/s/" + g + ".txt", No},
		{"//s/k.pem", "/s/" + g, Maybe},
		{"//s/k.pem", "/" + g + "/k.pem", Maybe},
		{"//s/k.pem", "/" + g, No},
		{"//s/k.pem", "/t/" + g, No},
		{"//s/.env", "/s/" + g, No},
		{"//s/.env", "/s/" + g + "env", No},
		{"//s/.env", "/s/.e" + g, Maybe},
		{"//s/?", "/s/" + g, Maybe},
		{"//s/[ab]", "/s/" + g, Maybe},
		{"//s/[.]x", "/s/" + g, No},
		{"//s/[ab]x", "/s/" + g + "y", No},
		{"//s/a?c", "/s/a" + g + "c", Maybe},
		{"//s/a?c", "/s/b" + g + "c", No},
		{"//s/k*", "/s/j" + g, No},
		{"//s/k*", "/s/k" + g, Yes},
		{"//s/abcabd", "/s/a" + g + "bd", Maybe},
		{"//s/abcabd", "/s/a" + g + "c" + g + "d", Maybe},
		{"//s/abcabd", "/s/a" + g + "d" + g + "d", No},
		{"//s/abcabd", "/s/a" + g + "bca" + g + "abd", No},
		{"//s/.env", "/s/" + g + ".env", Maybe},
		{"//s/*.tar.gz", "/s/" + g + ".gz", Maybe},
		{"//s/*.gz", "/s/" + g + ".tar.gz", Yes},
		{"//**/k/*", "/a/" + g + "/x", Maybe},
		{"//**/k/*", "/a/k/" + g, Yes},
		{"//s", "/s/" + g, Yes},
		{"//s/", "/" + g + "/x", Maybe},
		{"//s/", "/" + g, No},

		// `.*` may be "..", so where it leads is not known.
		{"//etc/x", "/s/." + g + "/x", Maybe},
		{"//s/**", "/s/." + g, Maybe},
		{"//s/**", "/s/.a" + g, Yes},

		// What is unknown can climb out with "../".
		{"//etc/passwd", "/home/dev/" + u, Maybe},
		{"//s/**", "/s/" + u, Maybe},
		{"//s/**", "/s/" + u + "/x", Maybe},
		{"//s/k", u, Maybe},
		{"//**", "/s/" + u, Yes},
		{"//**", u, Yes},
		{"//**/.env", "/s/" + u + "/.env", Yes},
		{"//**/.env", "/s/" + u + ".env", Maybe},
		{"//**/*.pem", "/s/" + u + ".pem", Yes},
		{"//**/a*.pem", "/s/a" + u + ".pem", Maybe},
		{"//**/*.", "/s/" + u + ".", Maybe},
		{"//**/x", "/s/" + u + "/x/" + g, Yes},
		{"//**/x/", "/s/" + u + "/x", Maybe},
		{"//**/x/", "/s/" + u + "/x/y", Yes},
		{"//**/x", "/" + u + "/x/" + u, Maybe},
	} {
		s := compile(t, "deny Edit("+c.content+")", "allow Edit("+c.content+")", "ask Write("+c.content+")")
		got := s.PathMay(c.path)
		if got.Edit.DenyMatch != c.want || got.Write.AskMatch != c.want || (got.Edit.Deny != nil) != (c.want != No) {
			t.Errorf("deny Edit(%s) on %q: %v, ask Write: %v, want %v", c.content, c.path, got.Edit.DenyMatch, got.Write.AskMatch, c.want)
		}
		if allowed := got.Edit.Allow != nil; allowed != (c.want == Yes) {
			t.Errorf("allow Edit(%s) on %q: %v", c.content, c.path, allowed)
		}
	}
}

func TestP16_SureBeforePossible(t *testing.T) {
	s := compile(t, "deny Read(//s/k)", "deny Read(//s/**)")
	if got := s.PathMay("/s/" + g).Read; got.DenyMatch != Yes || got.Deny.String() != "Read(//s/**)" {
		t.Errorf("got %v %v, want the rule that matches whatever the value is", got.Deny, got.DenyMatch)
	}
}

func TestP16_Below(t *testing.T) {
	for _, c := range []struct {
		content, path string
		want          Match
	}{
		{"//s/**", "/s", Yes},
		{"//s/**", "/s/a", Yes},
		{"//s/**", "/", Maybe},
		{"//s", "/s", Yes},
		{"//s/", "/s", Yes},
		{"//s/*/x", "/s", Maybe},
		{"//s/*/x", "/s/a", Maybe},
		{"//s/*/x", "/s/a/x", Yes},
		{"//s/*/x", "/s/a/y", No},
		{"//s/k", "/t", No},
		{"//s/k", "/s/k2", No},
		{"//**/k", "/s", Maybe},
		{"//**", "/", Yes},
		{"*.pem", "/home/dev/proj", Maybe},
		{"*.pem", "/home/dev/proj/app/x", Maybe},
		{"*.pem", "/home/dev/proj/lib", No},
		{"//s/k", "/" + g, Maybe},
		{"//s/**", "/s/" + g, Yes},
		{"//s/**", "/" + g, Maybe},
		{"//s/**", "/s/" + u, Maybe},
		{"//**/x", "/" + u + "/x", Yes},
	} {
		s := compile(t, "deny Edit("+c.content+")", "allow Edit("+c.content+")")
		got := s.Below(c.path).Edit
		if got.DenyMatch != c.want || (got.Allow != nil) != (c.want == Yes) {
			t.Errorf("Edit(%s) below %q: %v, allow %v, want %v", c.content, c.path, got.DenyMatch, got.Allow != nil, c.want)
		}
	}
}

// A search that passes over hidden files is stopped by rules about the others only,
// whichever stands first.
func TestP16_BelowVisible(t *testing.T) {
	for _, c := range []struct {
		rules []string
		path  string
		want  Match
	}{
		{[]string{"deny Read(.env)"}, "/home/dev/proj/app", No},
		{[]string{"deny Read(.env)", "deny Read(secrets/**)"}, "/home/dev/proj/app", Maybe},
		{[]string{"deny Read(./.aws/**)"}, "/home/dev/proj/app", No},
		{[]string{"deny Read(./.aws/**)"}, "/home/dev/proj/app/.aws", Yes},
		{[]string{"deny Read(./.aws/x/**)"}, "/home/dev/proj/app/.aws", Maybe},
		{[]string{"deny Read(*.pem)"}, "/home/dev/proj/app", Maybe},
		{[]string{"deny Read(secrets/**)"}, "/home/dev/proj/app/secrets", Yes},
	} {
		if got := compile(t, c.rules...).BelowVisible(c.path).Read.DenyMatch; got != c.want {
			t.Errorf("%v below %s: %v, want %v", c.rules, c.path, got, c.want)
		}
	}
}
