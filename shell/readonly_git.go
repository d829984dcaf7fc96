package shell

// doubtGit reads the global options and hands over to the subcommand. A name that
// is not listed may be an alias, which runs anything.
func doubtGit(words []Word) Doubt {
	at, doubt := gitSubcommand(words)
	if doubt.Text != "" || at >= len(words) {
		return doubt
	}
	name := words[at].Text
	if judge := judgeOfGit(name); judge != nil {
		return judge(words, at)
	}
	if spec := gitReaders.find(name); spec != nil {
		return spec.checkFormat(words, at+1)
	}
	return doubtOf(words, at, name+" is not known to only read")
}

// gitSubcommand is the index of the subcommand; len(words) when git only prints a
// text about itself. Options that change the configuration or where git finds it
// can make any subcommand run a program.
func gitSubcommand(words []Word) (int, Doubt) {
	for i := 1; i < len(words); i++ {
		switch words[i].Text {
		case "--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs", "--glob-pathspecs", "--noglob-pathspecs",
			"--icase-pathspecs", "--no-replace-objects", "--no-lazy-fetch", "--no-advice":
		case "-C":
			if i++; i < len(words) && words[i].several() {
				return 0, doubtOf(words, i, splits)
			}
		case "--version", "-v", "--help", "--html-path", "--man-path", "--info-path", "--exec-path":
			if i != len(words)-1 {
				return 0, doubtOf(words, i, words[i].Text+" with more arguments is not known to only read")
			}
			return len(words), Doubt{}
		default:
			if words[i].Text == "" || words[i].Text[0] == '-' || words[i].several() {
				return 0, doubtOf(words, i, "the option "+words[i].Text+" is not known to only read")
			}
			return i, Doubt{}
		}
	}
	return len(words), Doubt{}
}

// judgeOfGit finds the judgement of a subcommand that both reads and writes, or
// that no argument can turn.
func judgeOfGit(name string) func(words []Word, at int) Doubt {
	switch name {
	case "rev-parse", "merge-base", "name-rev", "version", "var", "check-ref-format":
		return gitAnything
	case "branch":
		return doubtGitBranch
	case "tag":
		return doubtGitTag
	case "config":
		return doubtGitConfig
	case "remote":
		return doubtGitRemote
	case "stash":
		return doubtGitStash
	case "worktree":
		return doubtGitWorktree
	case "reflog":
		return doubtGitReflog
	case "notes":
		return doubtGitNotes
	case "submodule":
		return doubtGitSubmodule
	case "clean":
		return doubtGitClean
	case "bisect":
		return doubtGitBisect
	}
	return nil
}

func gitAnything([]Word, int) Doubt { return Doubt{} }

// gitHarm is what the options shared by log, diff and their kin can do.
const gitHarm = "--output: writes a file; --ext-diff --textconv: runs a program; --show-signature: starts another program; " +
	"--remerge-diff: writes objects; --stdin: reads arguments"

// gitReaders are the subcommands that need no more than their options.
var gitReaders = optionTable{
	{"log", &gitLog},
	{"show", &gitLog},
	{"whatchanged", &gitLog},
	{"rev-list", &optionSpec{short: gitDiffShort, long: gitRevListLong + " objects objects-edge objects-edge-aggressive unpacked filter? no-filter filter-print-omitted " +
		"missing? exclude-promisor-objects object-names no-object-names in-commit-order header bisect-vars bisect-all disk-usage? " +
		"commit-header no-commit-header timestamp use-bitmap-index", harm: gitHarm}},
	{"diff", &optionSpec{short: gitDiffShort, long: gitDiffLong + " cached staged merge-base no-index base ours theirs cc end-of-options diff-merges= " +
		"no-diff-merges", harm: gitHarm}},
	{"diff-files", &optionSpec{short: gitDiffShort, long: gitDiffLong + " base ours theirs cc", harm: gitHarm}},
	{"diff-index", &optionSpec{short: gitDiffShort, long: gitDiffLong + " cached merge-base cc", harm: gitHarm}},
	{"diff-tree", &optionSpec{
		short: gitDiffShort, long: gitDiffLong + " root always no-commit-id merge-base cc pretty? format? oneline combined-all-paths " +
			"diff-merges= no-diff-merges",
		harm: gitHarm,
	}},
	{"range-diff", &optionSpec{short: gitDiffShort, long: gitDiffLong + " creation-factor= dual-color no-dual-color left-only right-only notes? no-notes " +
		"diff-merges=", harm: gitHarm}},
	{"shortlog", &optionSpec{short: "0123456789cEeFiPnsw::", long: "numbered summary email committer group= " + gitRevisionLong, harm: gitHarm}},
	{"blame", &gitBlame},
	{"annotate", &gitBlame},
	{"grep", &optionSpec{
		short: "0123456789A:aB:C:cEe:Ff:GHhIiLlm:noPpqrvWwz",
		long: "cached no-index untracked no-untracked exclude-standard no-exclude-standard recurse-submodules no-recurse-submodules invert-match " +
			"ignore-case word-regexp text no-textconv recursive no-recursive max-depth= extended-regexp basic-regexp fixed-strings perl-regexp " +
			"line-number no-line-number column no-column full-name no-full-name files-with-matches name-only files-without-match null " +
			"only-matching count color? no-color break heading context= before-context= after-context= threads= show-function function-context " +
			"and or not quiet all-match max-count=",
		harm: "-O --open-files-in-pager: runs a program; --textconv: runs a program; --ext-grep: starts another program",
	}},
	{"cat-file", &optionSpec{short: "epstz", long: "allow-unknown-type use-mailmap mailmap no-mailmap batch? batch-check? batch-command? batch-all-objects buffer " +
		"follow-symlinks unordered path=", harm: "--textconv --filters: runs a program"}},
	{"hash-object", &optionSpec{short: "t:", long: "stdin no-filters path= literally", harm: "-w: writes an object; --stdin-paths: reads files that no word names"}},
	// The second operand of symbolic-ref is what the name shall point to.
	{"symbolic-ref", &optionSpec{most: 1, short: "q", long: "quiet short recurse no-recurse", harm: "-d --delete: deletes; -m: writes a reason"}},

	{"status", &optionSpec{
		loose: true, short: "bhM::su::vz",
		long: "short branch show-stash no-show-stash porcelain? long verbose untracked-files? ignore-submodules? ignored? null column? no-column " +
			"ahead-behind no-ahead-behind renames no-renames find-renames?",
	}},
	{"ls-files", &optionSpec{
		loose: true, short: "cdfhikmostuvX:x:z",
		long: "cached deleted modified others ignored stage killed directory eol no-empty-directory empty-directory unmerged resolve-undo exclude= " +
			"exclude-from= exclude-per-directory= exclude-standard full-name recurse-submodules error-unmatch with-tree= abbrev? debug deduplicate " +
			"sparse format=",
	}},
	{"ls-tree", &optionSpec{loose: true, short: "dhlrtz", long: "long name-only name-status object-only full-name full-tree abbrev? format="}},
	{"describe", &optionSpec{
		loose: true, short: "h",
		long: "contains debug all tags long first-parent abbrev? no-abbrev exact-match no-exact-match candidates= match= no-match exclude= no-exclude " +
			"always dirty? broken?",
	}},
	{"for-each-ref", &optionSpec{
		loose: true, short: "hps",
		long: "shell perl python tcl count= format= color? sort= no-sort points-at= merged= no-merged= contains= no-contains= ignore-case omit-empty " +
			"exclude= include-root-refs stdin",
	}},
	{"show-ref", &optionSpec{loose: true, short: "dhqs", long: "tags heads branches verify exists head dereference hash? abbrev? quiet exclude-existing?"}},
	{"show-branch", &optionSpec{
		loose: true, short: "aghr",
		long: "all remotes color? no-color more? list no-name current sha1-name merge-base independent topo-order topics sparse date-order reflog?",
	}},
	{"cherry", &optionSpec{loose: true, short: "hv", long: "abbrev? verbose"}},
	{"count-objects", &optionSpec{loose: true, short: "hHv", long: "verbose human-readable"}},
	{"check-ignore", &optionSpec{loose: true, short: "hnqvz", long: "quiet verbose stdin non-matching no-index"}},
	{"check-attr", &optionSpec{loose: true, short: "ahz", long: "all cached stdin source="}},
	{"check-mailmap", &optionSpec{loose: true, short: "h", long: "stdin mailmap-file= mailmap-blob="}},
	{"patch-id", &optionSpec{loose: true, short: "h", long: "unstable stable verbatim"}},
}
