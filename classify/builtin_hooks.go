package classify

import (
	"path"
	"strings"

	"github.com/assent-dev/assent/shell"
)

// runsHooks is why commands of git that run hooks are refused. Where the hooks of a
// repository lie, and which files of the tree they run in turn, stands in a configuration
// that is not read here; whoever edits one of those files and commits has run it. To
// leave the hooks out is no way around it: they are the person's own checks.
const runsHooks = "it runs the hooks of the repository, and with them code of the project that is not read here; a rule can allow it"

// hookFile is why a file is not written, behind its name.
const hookFile = "is what git may run as a hook, or what says which hooks it runs"

// isHookFile: git, or one of the programs that look after hooks, may run the file or
// take from it what to run. Hooks can lie in any directory, but git finds them by their
// names. The path may hold marks; then the answer is yes if it could be.
func isHookFile(name string) bool {
	name = lower(name)
	for dir := range strings.SplitSeq(path.Dir(name), "/") {
		if isHookDir(dir) {
			return true
		}
	}
	base := strings.TrimSuffix(path.Base(name), ".exe") // git looks for both
	if isHookDir(base) {
		return true
	}
	for _, hook := range hookNames {
		if couldBe(base, hook) {
			return true
		}
	}
	for _, config := range hookConfigs {
		if couldBe(base, config) || strings.HasPrefix(base, config+".") {
			return true
		}
	}
	for _, ending := range []string{".yml", ".yaml", ".toml", ".json"} { // that a pattern may find
		if couldBe(base, "lefthook"+ending) {
			return true
		}
	}
	return false
}

func isHookDir(name string) bool {
	switch name {
	case ".githooks", ".git-hooks", ".git_hooks", ".hooks", "githooks", "git-hooks", "git_hooks", ".lefthook", ".lefthook-local", ".cargo-husky":
		return true
	}
	return false
}

// hookNames are the hooks that git knows.
var hookNames = []string{
	"applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit", "prepare-commit-msg", "commit-msg", "post-commit",
	"pre-rebase", "post-checkout", "post-merge", "pre-push", "pre-receive", "post-receive", "proc-receive", "post-update", "reference-transaction",
	"push-to-checkout", "pre-auto-gc", "post-rewrite", "sendemail-validate", "fsmonitor-watchman", "post-index-change",
}

// hookConfigs are the files, with any ending, in which it says what hooks run.
var hookConfigs = []string{
	".pre-commit-config", ".pre-commit-hooks", "lefthook", ".lefthook", "lefthook-local", ".lefthook-local", ".overcommit", ".huskyrc", "husky.config",
	".lintstagedrc", "lint-staged.config", ".simple-git-hooks", "simple-git-hooks", "captainhook", "grumphp",
}

// couldBe: the name, in which a mark stands for any run of characters, can be the wanted
// one.
func couldBe(name, wanted string) bool {
	glob := string([]byte{shell.Glob})
	pieces := strings.Split(strings.ReplaceAll(name, string([]byte{shell.Unknown}), glob), glob)
	if len(pieces) == 1 {
		return name == wanted
	}
	rest, ok := strings.CutPrefix(wanted, pieces[0])
	for _, piece := range pieces[1 : len(pieces)-1] {
		if ok {
			_, rest, ok = strings.Cut(rest, piece)
		}
	}
	return ok && strings.HasSuffix(rest, pieces[len(pieces)-1])
}

// lower is a text in small letters, its marks left as they are: some file systems do not
// tell them apart.
func lower(text string) string {
	out := []byte(text)
	for i, c := range out {
		if c >= 'A' && c <= 'Z' {
			out[i] = c + 'a' - 'A'
		}
	}
	return string(out)
}
