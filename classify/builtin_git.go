package classify

import (
	"slices"
	"strings"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/shell"
)

// gitChange says what speaks against a git command, "" if it is one of those that
// change the repository in a way that can be taken back, and that run no hooks but those
// which git status runs as well.
func (j *scriptJudge) gitChange(c *shell.Command) string {
	if len(c.Dirs) > 0 {
		return "git runs in another directory, whose configuration nobody has looked at"
	}
	args := c.Args()
	for len(args) > 0 && args[0].Text == "--no-pager" {
		args = args[1:]
	}
	if len(args) == 0 || !args[0].Known() || strings.HasPrefix(args[0].Text, "-") {
		return "what git does with its options is not known"
	}
	name := args[0].Text
	if name == "restore" && !slices.ContainsFunc(args, func(w shell.Word) bool { return w.Text == "--staged" }) {
		return "it discards changes of files"
	}
	w := gitWriter(name)
	if w == nil {
		return unknownGit(name)
	}
	operands, why := w.operands(args[1:], false)
	if why == "" && w.check != nil {
		why = w.check(operands)
	}
	if why == "" && name == "stash" {
		why = j.stashes(operands, args)
	}
	return why
}

// gitWriter is what is known about a subcommand, or nil.
func gitWriter(name string) *writer {
	switch name {
	case "add":
		return &writer{short: "Auvn", long: "all update verbose dry-run intent-to-add"}
	case "branch":
		return &writer{short: "q", long: "quiet", check: references}
	case "tag":
		return &writer{short: "am:", long: "annotate message=", check: references}
	case "stash":
		return &writer{short: "qum:", long: "quiet include-untracked message= keep-index"}
	case "reset":
		return &writer{short: "q", long: "quiet soft mixed"}
	case "restore": // only of what is staged, see gitChange
		return &writer{short: "q", long: "staged quiet", check: stagedFiles}
	case "rm":
		return &writer{short: "rqn", long: "cached quiet dry-run"}
	case "mv":
		return &writer{short: "vkn", long: "verbose dry-run"}
	case "fetch":
		return &writer{short: "qvfp", long: "quiet verbose force prune tags all", check: remote}
	}
	return nil
}

func unknownGit(name string) string {
	switch name {
	case "push":
		return "it publishes commits; a rule can allow it"
	case "commit", "merge", "pull", "switch", "checkout", "rebase", "am", "cherry-pick", "revert", "worktree", "gc", "maintenance", "bisect":
		return runsHooks
	case "clone", "submodule", "remote", "ls-remote":
		return "it talks to another machine"
	case "config":
		return "it changes the configuration of git"
	}
	return "what git " + visible(legible(name)) + " changes is not known to be easily taken back"
}

// stagedFiles: the operands name files, so that git finds no others, and none that is protected,
// although only the index changes.
func stagedFiles(operands []shell.Word) string {
	for _, w := range operands {
		switch {
		case !w.Known() || strings.ContainsAny(w.Text, "*?[:\\") || w.Text == "." || strings.Contains(w.Text, "..") || strings.HasSuffix(w.Text, "/"):
			return "which files git finds by " + visible(legible(w.Text)) + " is not known"
		case shell.Protected(w.Text):
			return visible(legible(w.Text)) + " is protected"
		}
	}
	return ""
}

// references: the operands are names of branches, tags and commits, not options or
// addresses.
func references(operands []shell.Word) string {
	for _, w := range operands {
		if !w.Known() || w.Text != "-" && !reference(w.Text) {
			return visible(legible(w.Text)) + " is not a plain name of a branch or commit"
		}
	}
	return ""
}

func reference(text string) bool {
	for name := range strings.SplitSeq(text, "/") {
		if name = strings.TrimRight(name, "~^0123456789"); name == ".." || name != "" && !plainName(name) {
			return false
		}
	}
	return text != "" && text[0] != '-' && text[0] != '/'
}

// stashes judges git stash. What it puts away are files that it names, which are judged
// as such, or all that has changed: then no protected file may be there. What it brings
// back stands in a commit that nobody has looked at.
func (j *scriptJudge) stashes(operands, args []shell.Word) string {
	verb := "push"
	if len(operands) > 0 && (len(args) < 2 || args[1].Text != "--") {
		verb = operands[0].Text
		operands = operands[1:]
	}
	switch {
	case verb == "pop" || verb == "apply":
		return "it brings back whatever was put away, and that may be protected files"
	case verb != "push":
		return "what git stash " + visible(legible(verb)) + " changes is not known to be easily taken back"
	case len(operands) > 0:
		return ""
	}
	root := permission.RepositoryRoot(j.place.links, j.place.cwd)
	found, complete := permission.ProtectedBelow(j.place.links, root, mostDirs, func(path string) bool {
		return !strings.HasSuffix(path, "/.git") && shell.Protected(path)
	})
	switch {
	case found != "":
		return "it puts back all files that have changed, and " + visible(found) + " is protected"
	case !complete:
		return "it puts back all files that have changed, and there are too many to see whether one is protected"
	}
	return ""
}

// remote: the first operand is the name of a remote that is configured, not an address.
func remote(operands []shell.Word) string {
	if len(operands) > 0 && (!operands[0].Known() || !plainName(operands[0].Text)) {
		return "it fetches from an address that is not configured"
	}
	return references(operands)
}
