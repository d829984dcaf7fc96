package shell

import (
	"slices"
	"strings"
)

// The options of subcommands that take a value, by what the subcommand does. For
// those that change files only the sure ones are listed: a flag wrongly thought to
// take a value would hide a path.
var (
	gitMessages  = grammar{values: "m C c S? U? message author date", reads: "F O file", writes: "output output-directory"}
	gitCommits   = grammar{values: "m C c S? U? message author date", reads: "F t file template"}
	gitListings  = grammar{values: "x exclude with-tree", reads: "X exclude-from exclude-per-directory"}
	gitMailmaps  = grammar{values: "mailmap-blob", reads: "mailmap-file"}
	gitPathspecs = grammar{values: "b B s orphan conflict source chmod", reads: "pathspec-from-file"}
	gitClones    = grammar{values: "b o c j u branch origin config depth jobs upload-pack", reads: "template reference"}
	gitConfigs   = grammar{values: "t type blob default comment value url", reads: "f file"}
	gitGreps     = grammar{values: "e A B C m O? max-depth max-count context after-context before-context threads", reads: "f"}
	gitBlames    = grammar{values: "L C? M? date ignore-rev", reads: "S contents ignore-revs-file"}
	gitOutputs   = grammar{values: "p", writes: "o output output-directory directory"}
	gitStores    = grammar{writes: "file"}
	gitMarks     = grammar{values: "date-format max-pack-size depth active-branches big-file-threshold anonymize-map refspec", reads: "import-marks import-marks-if-exists", writes: "export-marks export-pack-edges"}
	gitSubtrees  = grammar{values: "m b message branch", writes: "P prefix"}
)

// git lists the pathspecs of the subcommands that change files. A message, a
// branch or a revision is no path; those that only look at the repository are
// taken to read every operand.
func (l *accessList) git() {
	sub, dir := gitVerbAt(l.c.Words)
	if sub == 0 {
		return
	}
	if dir != "" {
		l.part(Reads, sub, dir)
	}
	l.gitReadsConfiguration(sub)
	mode, g := Reads, &gitMessages
	switch l.c.Words[sub].Text {
	case "commit":
		mode, g = 0, &gitCommits
	case "branch", "tag", "remote", "push", "pull", "fetch", "merge", "rebase", "switch", "log",
		"cherry-pick", "revert", "reflog":
		mode = 0
	case "submodule", "bundle":
		l.gitCreates(sub, dir)
		mode = 0
	case "stash":
		l.gitStash(sub, dir)
		mode = 0
	case "mv":
		l.gitMove(sub, dir)
		return
	case "checkout", "restore", "checkout-index":
		mode, g = Writes, &gitPathspecs
		if onlyUnstages(l.c.Words[sub:]) {
			mode = Reads
			break
		}
		l.gitWorkTree(sub)
	case "clone", "init", "worktree":
		l.gitClones(sub, dir)
		mode, g = Writes, &gitClones
	case "rm", "clean":
		if mode, g = Deletes, &gitPathspecs; l.c.Words[sub].Text == "rm" && l.c.removesTracked() == 0 {
			mode = Reads // --cached, --dry-run
		}
	case "add", "stage":
		g = &gitPathspecs
	case "archive", "format-patch", "bugreport", "diagnose":
		g = &gitOutputs
	case "apply", "am":
		g = &gitOutputs
		l.gitApplies(sub, dir)
	case "merge-file":
		if !l.c.has(&gitMessages, 'p', "stdout") {
			mode = Writes
		}
	case "subtree":
		mode, g = 0, &gitSubtrees
	case "fast-export", "fast-import":
		mode, g = 0, &gitMarks
	case "config":
		l.gitConfigFile(sub, dir)
		return
	case "blame", "annotate":
		l.gitBlamed(sub, dir)
	case "ls-files":
		g = &gitListings
	case "check-mailmap":
		g = &gitMailmaps
	case "grep":
		g = &gitGreps
		l.anyFile = l.gitComparesFiles(sub)
	case "diff":
		l.anyFile = l.gitComparesFiles(sub)
	case "mailinfo", "mailsplit":
		mode = Writes
	case "index-pack":
		g = &gitOutputs
	case "credential-store":
		mode, g = 0, &gitStores
	case "interpret-trailers", "hash-object":
		l.anyFile = true
		if l.c.hasWord("--in-place") {
			mode = Writes
		}
		if slices.ContainsFunc(l.c.Words[sub:], func(word Word) bool { return strings.HasPrefix(word.Text, "--stdin-") }) {
			l.listed(sub, "-")
		}
	}
	l.gitContents(sub, dir, mode)
	if l.everything { // only rules about files want to know
		l.gitShown(sub, dir)
	}
	inner := Command{Words: l.c.Words[sub:]}
	a := inner.arguments(g)
	for a.next() {
		at := a.valueAt + sub
		switch {
		case a.operand && g == &gitPathspecs && mode != Reads:
			l.gitChanged(mode, sub, at, dir, a.ended)
		case a.operand && mode != 0 && !onOtherHost(a.value):
			l.gitPath(mode, at, dir, a.value)
		case a.operand || a.valueAt == 0:
		case g == &gitPathspecs && mode != Reads && a.is(0, "pathspec-from-file"):
			l.gitRepository(mode, at, dir)
			l.gitPath(Reads, at, dir, a.value)
		case g.optionMode(&a) == Writes, a.is(0, "output"), a.is(0, "output-directory"), a.is(0, "directory"):
			l.gitPath(Writes, at, dir, a.value)
		case g == &gitMailmaps && a.is(0, "mailmap-blob"):
			l.gitBlob(at, dir, a.value)
		case g.optionMode(&a) == Reads:
			outer := l.anyFile
			l.anyFile = true
			l.gitPath(Reads, at, dir, a.value)
			l.anyFile = outer
		}
	}
}

// onlyUnstages: git restore with these options changes the index and no file.
func onlyUnstages(words []Word) bool {
	if words[0].Text != "restore" {
		return false
	}
	staged := false
	for i := 1; i < len(words) && words[i].Text != "--"; i++ {
		switch text := words[i].Text; {
		case !words[i].Known() || words[i].Split:
			return false
		case text == "--staged" || text == "-S":
			staged = true
		case text == "-s" || text == "--source":
			i++
		case isOption(text) && text != "-q" && text != "--quiet" && !strings.HasPrefix(text, "--source="):
			return false
		}
	}
	return staged
}

// gitComparesFiles: --no-index makes diff and grep read files that belong to no repository.
func (l *accessList) gitComparesFiles(sub int) bool {
	return slices.ContainsFunc(l.c.Words[sub:], func(word Word) bool { return strings.HasPrefix(word.Text, "--no-i") })
}

// RepositoryDirs are the directories from which command i, which is git, looks for its
// repository; none if it needs none.
func (s *Script) RepositoryDirs(i int) []string {
	c := &s.Commands[i]
	sub, dir := gitVerbAt(c.Words)
	if sub == 0 || c.Words[sub].Text == "version" {
		return nil
	}
	if dir == "" {
		dir = "."
	}
	return s.Paths(Access{Path: dir, Command: i})
}

// ComparesFiles: command i is git in a form in which it reads files that belong to no
// repository. Two operands of diff may be such files.
func (s *Script) ComparesFiles(i int) bool {
	c := &s.Commands[i]
	sub, _ := gitVerbAt(c.Words)
	if sub == 0 {
		return false
	}
	operands := 0
	for _, word := range c.Words[sub+1:] {
		switch {
		case strings.HasPrefix(word.Text, "--no-i"):
			return true
		case word.several():
			operands += 2
		case !isOption(word.Text):
			operands++
		}
	}
	return c.Words[sub].Text == "diff" && operands > 1
}

// gitContents adds the files whose content git shows from the repository: HEAD:path,
// and the paths behind "--".
func (l *accessList) gitContents(sub int, dir string, mode AccessMode) {
	paths := false
	for at := sub + 1; at < len(l.c.Words); at++ {
		text := l.c.Words[at].Text
		if path, ok := treePath(text); ok && mode == Reads && !isOption(text) {
			l.gitTreeFile(at, dir, path)
		}
		if paths && mode == 0 {
			l.gitPath(Reads, at, dir, text)
		}
		paths = paths || text == "--"
	}
}

// treePath is the path in HEAD:path, :path and :0:path. A colon in braces belongs to the
// revision: HEAD^{/fix: x}:path. Without a revision, :/text looks for a message.
func treePath(text string) (path string, ok bool) {
	colon, depth := -1, 0
	for i := 0; i < len(text) && colon < 0; i++ {
		switch {
		case text[i] == '{':
			depth++
		case text[i] == '}':
			depth--
		case text[i] == ':' && depth <= 0:
			colon = i
		}
	}
	if colon < 0 {
		colon = strings.IndexByte(text, ':')
	}
	path = text[colon+1:]
	if colon == 0 && len(path) > 1 && path[0] >= '0' && path[0] <= '3' && path[1] == ':' { // a stage of the index
		path = path[2:]
	}
	return path, colon >= 0 && path != "" && (colon > 0 || path[0] != '/')
}

// gitTreeFile adds a file of a tree. Its name is seen from the top of the repository, unless
// it says otherwise.
func (l *accessList) gitTreeFile(at int, dir, path string) {
	if strings.HasPrefix(path, "./") || strings.HasPrefix(path, "../") {
		l.gitPath(Reads, at, dir, path)
		return
	}
	word := &l.c.Words[at]
	l.put(&Access{Path: behind(dir, path), Tree: path, Mode: Reads, Span: word.Span, Loose: word.Loose, Listed: word.Listed, Splits: word.Split})
}

// gitPath adds a pathspec, which is relative to the directory given with -C.
func (l *accessList) gitPath(mode AccessMode, at int, dir, value string) {
	if value == l.c.Words[at].Text {
		value = l.path(l.c.Words[at])
	}
	l.part(mode, at, behind(dir, value))
}

// gitConfigFile is git config --file x: written unless it is only asked.
func (l *accessList) gitConfigFile(sub int, dir string) {
	inner := Command{Words: l.c.Words[sub:]}
	mode := Writes
	if !configSets(&inner) {
		mode = Reads
	}
	if setsConfig(&inner) != "" { // what git runs from now on
		file := ".git/config"
		if inner.has(&gitConfigs, 0, "global") {
			file = "~/.gitconfig"
		}
		l.part(Writes, sub, behind(dir, file))
	}
	l.anyFile = true
	key := ""
	a := inner.arguments(&gitConfigs)
	for a.next() {
		if a.operand && strings.EqualFold(key, "core.worktree") {
			l.gitPath(mode, a.valueAt+sub, dir, a.value)
		}
		if a.operand {
			key = a.value
		}
		if a.is('f', "file") && a.valueAt > 0 {
			l.gitPath(mode, a.valueAt+sub, "", a.value)
		}
		if a.is(0, "blob") && a.valueAt > 0 {
			l.gitBlob(a.valueAt+sub, dir, a.value)
		}
		if a.hides() || a.operand && beginsUnknown(&a.words[a.at]) { // it may be -f
			l.behindWord(mode, a.at+sub)
		}
		if a.operand && !strings.EqualFold(key, "core.worktree") && (a.at > 1 || !configVerbs.has(a.value)) { // what follows is a value
			break
		}
	}
	l.anyFile = false
}

// gitBlob adds the file that a revision names; an object without a name may be any.
func (l *accessList) gitBlob(at int, dir, value string) {
	outer := l.anyFile
	l.anyFile = false
	if path, ok := treePath(value); ok {
		l.gitTreeFile(at, dir, path)
	} else if l.everything { // only rules about files want to know
		l.gitRepository(Reads, at, dir)
	}
	l.anyFile = outer
}

var configVerbs = wordSet{list: "get set list unset"}

// gitBlamed adds the file that blame takes for the content of another.
func (l *accessList) gitBlamed(sub int, dir string) {
	inner := Command{Words: l.c.Words[sub:]}
	l.anyFile = true
	a := inner.arguments(&gitBlames)
	for a.next() {
		switch {
		case a.valueAt > 0 && (a.is('S', "contents") || a.is(0, "ignore-revs-file")):
			l.gitPath(Reads, a.valueAt+sub, dir, a.value)
		case a.hides() || a.operand && !a.ended && beginsUnknown(&a.words[a.at]): // it may be --contents
			l.behindWord(Reads, a.at+sub)
		}
	}
	l.anyFile = false
}

// gitVerbAt is the index of the subcommand, behind the options of git itself,
// or 0; and the directory of the last -C.
func gitVerbAt(words []Word) (sub int, dir string) {
	for i := 1; i < len(words); i++ {
		text := words[i].Text
		if !strings.HasPrefix(text, "-") {
			return i, dir
		}
		if gitGlobals.has(text) {
			i++
			if text == "-C" && i < len(words) {
				dir = behind(dir, pathOf(words[i], false))
			}
		}
	}
	return 0, dir
}

// namesGitFile reports whether a setting of git, in small letters, names a file that is read.
func namesGitFile(key string) bool {
	return strings.Contains(key, ".") && !strings.HasPrefix(key, "core.hooks") && hasSuffixIn(key, []string{"file", ".path", "template", "skiplist", "sslcert", "sslkey", "sslcainfo"})
}

// gitReadsConfiguration adds the files that are read for settings, which git config -l prints.
func (l *accessList) gitReadsConfiguration(sub int) {
	for at, word := range l.c.Words[1:sub] {
		setting := strings.TrimPrefix(word.Text, "-c")
		if key, file, ok := strings.Cut(setting, "="); ok && namesGitFile(strings.ToLower(key)) {
			l.part(Reads, at+1, file)
		}
	}
	for _, a := range l.c.Assigns {
		if listed("GIT_CONFIG GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM", a.Name) {
			l.put(&Access{Path: a.Value.Text, Mode: Reads, Span: a.Value.Span, Loose: a.Value.Loose})
		}
	}
}
