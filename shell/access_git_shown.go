package shell

import "strings"

// gitShown adds the files whose content git shows without naming each: all of the
// repository, or what the pathspecs behind "--" find.
func (l *accessList) gitShown(sub int, dir string) {
	inner := Command{Words: l.c.Words[sub:]}
	how := inner.gitShows()
	if how == showsNothing {
		return
	}
	named := false // all that is shown
	for at := sub + 1; at < len(l.c.Words); at++ {
		text := l.c.Words[at].Text
		if text == "--" {
			for at++; at < len(l.c.Words); at++ {
				named = true
				l.gitSpec(Reads, sub, at, dir, LiteralPathspec, WholeTree)
			}
			break
		}
		if how != showsObjects || isOption(text) {
			continue
		}
		// HEAD:path is one file, which gitContents adds.
		if path, ok := treePath(text); !ok || strings.HasSuffix(path, "/") || l.c.Words[at].Split {
			named = false
			break
		}
		named = true
	}
	switch {
	case named && !inner.hasWord("--full-diff"):
	case how == showsHere:
		l.gitTree(Reads, sub, behind(dir, "."), LiteralPathspec, WholeTree)
	default:
		l.gitRepository(Reads, sub, dir)
	}
	if !named {
		l.gitMayNarrow(sub, dir)
	}
}

// gitMayNarrow adds the operands that are paths if there are such files: git shows
// nothing else then. A word behind an option may be its value.
func (l *accessList) gitMayNarrow(sub int, dir string) {
	switch l.c.Words[sub].Text {
	case "diff", "log", "show", "whatchanged", "diff-tree", "diff-index", "diff-files":
	default:
		return // operands are something else, or what is searched for
	}
	for at := sub + 1; at < len(l.c.Words) && l.c.Words[at].Text != "--"; at++ {
		if before := l.c.Words[at-1].Text; !isOption(l.c.Words[at].Text) && (!isOption(before) || gitFlags.has(before)) {
			l.gitSpec(Reads, sub, at, dir, MaybePathspec, WholeTree)
		}
	}
}

// gitFlags are options that take no value.
var gitFlags = wordSet{list: "--cached --staged -p -u --patch -w -b --stat --no-color --color --no-ext-diff --no-renames --oneline --graph --no-textconv --follow --word-diff"}

// gitShowing is how much of the content of files a subcommand of git shows.
type gitShowing uint8

const (
	showsNothing gitShowing = iota
	showsTree               // of any file of the repository
	showsHere               // of any file below the directory
	showsObjects            // of what its operands name
)

// gitShows judges a command that begins with the subcommand.
func (c *Command) gitShows() gitShowing {
	switch c.Words[0].Text {
	case "grep":
		return showsHere
	case "diff", "difftool":
		if c.gitOnlySummary() {
			return showsNothing
		}
		return showsTree
	case "show":
		if c.gitOnlySummary() {
			return showsNothing
		}
		return showsObjects
	case "cat-file":
		for _, word := range c.Words[1:] {
			switch word.Text {
			case "-t", "-s", "-e", "--batch-check":
				return showsNothing
			}
		}
		return showsObjects
	case "log", "whatchanged", "reflog", "stash", "diff-tree", "diff-index", "diff-files":
		if c.gitPrintsPatch() {
			return showsTree
		}
	case "status", "commit":
		if c.has(&gitMessages, 'v', "verbose") {
			return showsTree
		}
	case "range-diff", "archive", "fast-export", "format-patch", "bundle":
		return showsTree
	}
	return showsNothing
}

// gitOnlySummary: instead of a difference there are only names and numbers.
func (c *Command) gitOnlySummary() bool {
	summary := false
	for _, word := range c.Words[1:] {
		name, _, _ := strings.Cut(word.Text, "=")
		switch name {
		case "--":
			return summary && !c.gitPrintsPatch()
		case "--stat", "--numstat", "--shortstat", "--name-only", "--name-status", "--summary", "--raw", "--dirstat", "--compact-summary", "-s", "--no-patch", "--quiet":
			summary = true
		}
	}
	return summary && !c.gitPrintsPatch()
}

// gitPrintsPatch: an option asks for the differences themselves.
func (c *Command) gitPrintsPatch() bool {
	for _, word := range c.Words[1:] {
		text := word.Text
		switch {
		case text == "--":
			return false
		case strings.HasPrefix(text, "--"):
			for _, option := range [...]string{
				"--pat", "--unified", "--binary", "--word-d", "--color-w", "--cc", "--dd", "--diff-m", "--remerge", "--function-c", "--ext-d", "--textc", "--inter-h",
			} {
				if strings.HasPrefix(text, option) {
					return true
				}
			}
		case len(text) > 1 && text[0] == '-' && strings.IndexByte("SGOnl", text[1]) < 0 && strings.ContainsAny(text, "pucUmLW"):
			return true
		}
	}
	return false
}
