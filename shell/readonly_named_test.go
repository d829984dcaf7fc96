package shell

import (
	"fmt"
	"strings"
	"testing"
)

// filesInOptions are the options of read-only programs whose value is a file that is read, by the
// manual of the program: letters, then long names.
var filesInOptions = []struct{ program, options string }{
	{"ag", "p path-to-ignore"},
	{"awk", "f i l E file include load exec"},
	{"base64", "input"},
	{"bc", "f file"},
	{"date", "f r file reference"},
	{"diff", "X exclude-from from-file to-file"},
	{"dmesg", "F K file kmsg-file"},
	{"du", "X exclude-from files0-from"},
	{"fd", "ignore-file base-directory search-path"},
	{"file", "f m files-from magic-file"},
	{"findmnt", "F tab-file"},
	{"git blame", "S contents ignore-revs-file"},
	{"git check-mailmap", "mailmap-file"},
	{"git commit", "F t file template"},
	{"git config -l", "f file"},
	{"git diff", "O"},
	{"git grep", "f"},
	{"git ls-files", "X exclude-from exclude-per-directory"},
	{"grep", "f file exclude-from"},
	{"hexdump", "f format-file"},
	{"history", "n r"},
	{"journalctl", "D file directory root"},
	{"jq", "L f library-path from-file"},
	{"last", "f file"},
	{"lscpu", "s sysroot"},
	{"pgrep", "F pidfile"},
	{"rg", "f file ignore-file"},
	{"sed", "f file"},
	{"shuf", "random-source"},
	{"sort", "files0-from random-source"},
	{"tree", "gitfile hintro houtro infofile"},
	{"wc", "files0-from"},
	{"xargs", "a arg-file"},
}

func TestS15_OptionsThatReadAFileAreReads(t *testing.T) {
	t.Parallel()
	for _, c := range filesInOptions {
		for _, option := range strings.Fields(c.options) {
			spellings := []string{"-%[1]s.env", "-%[1]s .env"}
			if len(option) > 1 {
				spellings = []string{"--%[1]s=.env", "--%[1]s .env"}
			}
			for _, spelling := range spellings {
				isRead(t, c.program+" "+fmt.Sprintf(spelling, option)+" x")
			}
		}
	}
	for _, command := range []string{
		"base64 -i.env", "base64 -di.env", "find . -newermm .env", "find . -neweraB .env", "git check-mailmap --mailmap-blob=HEAD:.env x",
		"sort --files0=.env", "wc --files=.env", "diff --from=.env x", "diff --to=.env x", "diff -rX.env x y", "file --magic=.env x", "shuf --random=.env x",
		"xargs --arg=.env echo", "dmesg --kmsg=.env", "findmnt --tab=.env", "jq -n --slurpfile a .env '$a'", "jq -n --rawfile a .env '$a'",
	} {
		isRead(t, command)
	}
	for _, command := range []string{
		"diff -x .env a b", "diff --exclude=.env a b", "grep --exclude=.env x a", "du --exclude=.env", "find . -newermt 2024-01-01 -name .env",
		"git ls-files -x .env", "history 10", "awk -i inplace 1 f", "pgrep -u .env", "tree --charset=.env",
	} {
		if readsFile(command, ".env") {
			t.Errorf("%s: reads .env", command)
		}
	}
}

func isRead(t *testing.T, command string) {
	t.Helper()
	if !readsFile(command, ".env") {
		t.Errorf("%s: is not known to read .env", command)
	}
}

func readsFile(command, path string) bool {
	for _, a := range Parse(command).Accesses() {
		if a.Path == path && a.Mode == Reads && !a.Possible {
			return true
		}
	}
	return false
}
