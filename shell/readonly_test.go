package shell

import (
	"strings"
	"testing"
)

// doubtAbout judges the one simple command of a text, by its words alone.
func doubtAbout(t testing.TB, text string) Doubt {
	t.Helper()
	s := Parse(text)
	if s.Problem != nil || len(s.Commands) == 0 {
		t.Fatalf("%s: %+v", text, s.Problem)
	}
	return s.Commands[0].doubt()
}

// checkReadOnly: each line of reads only reads, each line of doubtful does not.
func checkReadOnly(t *testing.T, reads, doubtful string) {
	t.Helper()
	for command := range strings.Lines(reads) {
		if command = strings.TrimSpace(command); command == "" {
			continue
		}
		if doubt := doubtAbout(t, command); doubt.Text != "" {
			t.Errorf("%s: should only read, but: %s", command, doubt.Text)
		}
	}
	for command := range strings.Lines(doubtful) {
		if command = strings.TrimSpace(command); command == "" {
			continue
		}
		if doubt := doubtAbout(t, command); doubt.Text == "" {
			t.Errorf("%s: should raise a doubt", command)
		}
	}
}

func TestReadOnly_Programs(t *testing.T) {
	checkReadOnly(t, `
		ls
		/bin/ls -la
		/usr/bin/env
		\ls
		'ls' "-la"
	`, `
		./ls
		/opt/evil/ls
		/usr/local/bin/ls
		/usr/bin/../../tmp/ls
		/usrls
		/binls
		/usr/ls
		$X
		"$X"
		l$X
		rm x
		bash x
		LS
		''
		ls* x
	`)
}

func TestReadOnly_Versions(t *testing.T) {
	checkReadOnly(t, `
		node --version
		node -v
		python3 -V
		python3.12 --version
		go version
		go env
		go env GOPATH GOROOT
		go env -json
		rustup --help
		java -version
		npm --help
		git --version
		gofmt -l .
		gofmt -d main.go
		docker --version
	`, `
		node --version x.js
		node x.js
		python3 -v
		python3 -c 1
		python3.x --version
		npm version
		npm install --version
		go version -m x
		go env -w X=1
		go env -u X
		go build
		docker version
		rustup --version
		rustup -V
		gofmt -w main.go
		gofmt -l=true -w=true main.go
		gofmt "$X"
		yarn --version
		node $X
		node "$X"
		bash --help x
	`)
}

// The sentence is for people, so no mark of a word may show.
func TestReadOnly_Sentences(t *testing.T) {
	for command, want := range map[string]string{
		"sort -uo x":         "sort -o writes a file",
		"git log --outp x":   "git log --outp writes a file",
		"git -$X":            "git: the option -$… is not known to only read",
		"rg --frob*":         "rg: an option that is only known when it runs",
		"frob":               "frob is not known to only read",
		"find . -name x -ok": "find -ok runs a program",
	} {
		if got := doubtAbout(t, command).Text; got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}
