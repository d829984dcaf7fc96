package shell

import "strings"

// Subcommands of git that list when they are asked in one way and write when they
// are asked in another.

var gitBranch = optionSpec{
	short: "aihlrqv",
	long: "all remotes list verbose quiet show-current contains= no-contains= merged= no-merged= points-at= sort= no-sort format= color? no-color " +
		"column? no-column abbrev? no-abbrev ignore-case omit-empty",
	harm: "-d -D --delete: deletes a branch; -m -M --move -c -C --copy: renames or copies a branch; -f --force --create-reflog: makes a branch; " +
		"-u --set-upstream-to --unset-upstream -t --track: writes configuration; --edit-description: starts an editor",
}

var gitTag = optionSpec{
	short: "hiln::",
	long:  "list contains= no-contains= merged= no-merged= points-at= sort= no-sort format= color? no-color column? no-column ignore-case omit-empty",
	harm: "-d --delete: deletes a tag; -a --annotate -s --sign -u --local-user -f --force -m --message -F --file -e --edit --create-reflog --cleanup: " +
		"makes a tag; " +
		"-v --verify: starts another program",
}

func doubtGitBranch(words []Word, at int) Doubt { return doubtGitListing(&gitBranch, words, at) }

func doubtGitTag(words []Word, at int) Doubt { return doubtGitListing(&gitTag, words, at) }

// doubtGitListing: an operand is a name to make, unless an option turns it into a
// pattern of a list.
func doubtGitListing(spec *optionSpec, words []Word, at int) Doubt {
	if doubt := spec.checkFormat(words, at+1); doubt.Text != "" {
		return doubt
	}
	s := scanOptions(spec, words, at+1)
	lists, operand := false, 0
	for s.next() {
		switch s.option {
		case "":
			operand = s.word
		case "l", "list", "n", "contains", "no-contains", "merged", "no-merged", "points-at":
			lists = true
		}
	}
	if operand > 0 && !lists {
		return doubtOf(words, operand, words[at].Text+" with a name makes one")
	}
	return Doubt{}
}

var gitRemote = optionSpec{posix: true, short: "hv", long: "verbose"}

// doubtGitRemote: listing stays on the machine, most subcommands do not.
func doubtGitRemote(words []Word, at int) Doubt {
	s := scanOptions(&gitRemote, words, at+1)
	for s.next() {
		if s.option != "" {
			continue
		}
		rest := words[s.word:]
		switch {
		case s.value.Text == "get-url":
			getURL := optionSpec{long: "push all"}
			return getURL.check(words, s.word+1)
		case s.value.Text == "show" && (len(rest) == 1 || len(rest) == 3 && rest[1].Text == "-n" && !rest[2].several()):
			return Doubt{}
		}
		s.stop("the subcommand " + s.value.Text + " may use the network or write")
	}
	return s.doubt
}

var gitStashShow = optionSpec{short: gitDiffShort, long: gitDiffLong + " include-untracked only-untracked no-include-untracked", harm: gitHarm}

func doubtGitStash(words []Word, at int) Doubt {
	if at+1 < len(words) {
		switch words[at+1].Text {
		case "list":
			return gitLog.checkFormat(words, at+2)
		case "show":
			return gitStashShow.check(words, at+2)
		}
	}
	return doubtOf(words, at, "stash changes the working tree")
}

var gitWorktreeList = optionSpec{most: noOperands, short: "vz", long: "porcelain verbose expire="}

func doubtGitWorktree(words []Word, at int) Doubt {
	if at+1 < len(words) && words[at+1].Text == "list" {
		return gitWorktreeList.check(words, at+2)
	}
	return doubtOf(words, at, "worktree makes or removes a working tree")
}

var gitNotesList = optionSpec{short: "h"}

func doubtGitNotes(words []Word, at int) Doubt {
	switch {
	case at+1 >= len(words):
		return Doubt{}
	case words[at+1].Text == "list" || words[at+1].Text == "show":
		return gitNotesList.check(words, at+2)
	}
	return doubtOf(words, at, "notes writes notes")
}

var gitSubmoduleStatus = optionSpec{short: "hq", long: "cached recursive quiet"}

func doubtGitSubmodule(words []Word, at int) Doubt {
	switch {
	case at+1 >= len(words):
		return Doubt{}
	case words[at+1].Text == "status":
		return gitSubmoduleStatus.check(words, at+2)
	}
	return doubtOf(words, at, "submodule changes the working tree")
}

var gitCleanDry = optionSpec{short: "de:nqXx", long: "dry-run quiet exclude=", harm: "-f --force -i --interactive: deletes files"}

// doubtGitClean: a dry run lists.
func doubtGitClean(words []Word, at int) Doubt {
	s := scanOptions(&gitCleanDry, words, at+1)
	dry := false
	for s.next() {
		dry = dry || s.option == "n" || s.option == "dry-run"
	}
	if s.doubt.Text == "" && !dry {
		return doubtOf(words, at, "clean deletes files")
	}
	return s.doubt
}

// doubtGitReflog: what is no subcommand is shown as a reference. A plain word may
// be a subcommand of a newer git, so it must look like a reference.
func doubtGitReflog(words []Word, at int) Doubt {
	if at+1 >= len(words) {
		return Doubt{}
	}
	switch text := words[at+1].Text; {
	case text == "show" || text == "list" || text == "exists":
		return gitLog.checkFormat(words, at+2)
	case strings.HasPrefix(text, "-"), text == "HEAD", text == "main", text == "master", strings.ContainsAny(text, "@/"):
		return gitLog.checkFormat(words, at+1)
	}
	return doubtOf(words, at+1, "the subcommand "+words[at+1].Text+" may delete")
}

// gitConfig: behind the first name everything is a value, "--get" too.
var gitConfig = optionSpec{
	posix: true, short: "f:hlt:z",
	long: "get get-all get-regexp get-urlmatch get-color get-colorbool list global system local worktree file= blob= type= no-type bool int bool-or-int " +
		"bool-or-str path expiry-date null name-only no-includes show-origin show-scope default= fixed-value all regexp value= url= " +
		"show-names no-show-names",
	harm: "--add --replace-all --unset --unset-all --rename-section --remove-section --comment --append: writes configuration; -e --edit: starts an editor; --includes: reads files that others name",
}

// doubtGitConfig: a single name is read, a name with a value is written.
func doubtGitConfig(words []Word, at int) Doubt {
	first := at + 1
	reads := first < len(words) && (words[first].Text == "get" || words[first].Text == "list")
	if reads {
		first++
	}
	s := scanOptions(&gitConfig, words, first)
	names := 0
	for s.next() {
		switch s.option {
		case "":
			if names++; !reads && (s.value.several() || !s.value.Known() || strings.IndexByte(s.value.Text, '.') < 0) {
				names = 2
			}
		case "get", "get-all", "get-regexp", "get-urlmatch", "get-color", "get-colorbool", "l", "list":
			reads = true
		}
	}
	if s.doubt.Text == "" && names > 1 && !reads {
		return doubtOf(words, at, "config with a value writes it")
	}
	return s.doubt
}

// doubtGitBisect: the log is a file that git prints; view starts a program, and the rest checks out.
func doubtGitBisect(words []Word, at int) Doubt {
	if len(words) == at+2 && words[at+1].Text == "log" {
		return Doubt{}
	}
	return doubtOf(words, at, "bisect is only known to only read as bisect log")
}
