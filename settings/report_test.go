package settings

import "testing"

func TestShellWord(t *testing.T) {
	for path, want := range map[string]string{
		"/srv/app": "/srv/app", "/home/jörg": "/home/jörg", "/srv/my app": "'/srv/my app'", "/srv/it's": `'/srv/it'\''s'`, "/srv/$x": "'/srv/$x'",
	} {
		if got := shellWord(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

func TestWordsForRules(t *testing.T) {
	for got, want := range map[string]string{
		named(""): `""`, named(" "): `" "`, named("Bash(rm"): "Bash(rm", everyCall("*"): "every call of every tool", everyCall("Bash"): "every Bash call",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
