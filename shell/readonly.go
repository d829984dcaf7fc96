package shell

import "strings"

// Read-only is an allow-list: a program is on it together with the options and
// operands that are known to write nothing, start no program and use no network.
// Whatever is not listed is a doubt. The lists are in the files readonly_*.go, one
// for each family of programs; how options are read is in option_scan.go.

// Doubt says why a command is not known to only read; the zero value means that
// it only reads.
type Doubt struct {
	// Text is for a person: "sort -o writes a file".
	Text string
	// Word is the index of the word that raised the doubt.
	Word int
}

// doubt judges the words of the command. What stands around them, redirections
// and assignments and taint, is judged elsewhere.
func (c *Command) doubt() Doubt {
	if len(c.Words) == 0 {
		return Doubt{}
	}
	return doubtProgram(c.Words, c.knowledge())
}

// doubtWords judges a program with its arguments. No words, no doubt.
func doubtWords(words []Word) Doubt {
	if len(words) == 0 {
		return Doubt{}
	}
	return doubtProgram(words, about(programOf(words)))
}

func doubtProgram(words []Word, known *knowledge) Doubt {
	doubt := judgeWords(words, known)
	if strings.IndexByte(doubt.Text, Unknown) >= 0 || strings.IndexByte(doubt.Text, Glob) >= 0 {
		doubt.Text = strings.ReplaceAll(strings.ReplaceAll(doubt.Text, unknownMark, "$…"), globMark, "*")
	}
	return doubt
}

func judgeWords(words []Word, known *knowledge) Doubt {
	if !words[0].Known() {
		return Doubt{Text: "which program runs is only known when it runs"}
	}
	name, ok := systemProgram(words[0].Text)
	if !ok {
		return Doubt{Text: words[0].Text + " is not a program of the system"}
	}
	if len(words) == 2 && known.isVersionQuery(words[1].Text) {
		return Doubt{}
	}
	if len(words) > 2 && isClientVersion(name, words) {
		return Doubt{}
	}
	if onlyParses(name, words) {
		return Doubt{}
	}
	if known.judge != nil {
		return known.judge(words)
	}
	if known.reader != nil {
		return known.reader.check(words, 1)
	}
	return Doubt{Text: name + " is not known to only read"}
}

// systemProgram is the name of a program that is named plainly or by the path
// where the system keeps it. ./ls or /opt/x/ls is some other program.
func systemProgram(text string) (name string, ok bool) {
	name, ok = strings.CutPrefix(text, "/usr/bin/")
	if !ok {
		name = strings.TrimPrefix(text, "/bin/")
	}
	return name, name != "" && strings.IndexByte(name, '/') < 0
}

// judgeOf finds the judgement of a program whose operands or whose order of
// arguments matter, nil when there is none.
func judgeOf(name string) func(words []Word) Doubt {
	switch name {
	case "git":
		return doubtGit
	case "find", "gfind":
		return doubtFind
	case "sed", "gsed":
		return doubtSed
	case "awk", "gawk", "mawk", "nawk":
		return doubtAwk
	case "jq":
		return doubtJq
	case "yq":
		return doubtYq
	case "xargs", "gxargs":
		return doubtXargs
	case "tree":
		return doubtTree
	case "xxd":
		return doubtXxd
	case "date", "gdate":
		return doubtDate
	case "tar", "gtar", "bsdtar":
		return doubtTar
	case "unzip":
		return doubtUnzip
	case "openssl":
		return doubtOpenssl
	case "gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzstd":
		return doubtCompressor
	case "nm", "size", "objdump":
		return doubtBinary
	case "go":
		return doubtGo
	}
	if judge := judgeOfSystem(name); judge != nil {
		return judge
	}
	return judgeOfBuiltin(name)
}

// firstMark is the index of the first character that is only known when the
// command runs, or -1.
func firstMark(text string) int {
	for i := range len(text) {
		if text[i] == Unknown || text[i] == Glob {
			return i
		}
	}
	return -1
}

// onlyMarks reports whether nothing is known of a text; it may be empty.
func onlyMarks(text string) bool {
	for i := range len(text) {
		if text[i] != Unknown && text[i] != Glob {
			return false
		}
	}
	return true
}

// anything is the judgement of programs that no argument can turn.
func anything([]Word) Doubt { return Doubt{} }

// doubtOf is a doubt about one word.
func doubtOf(words []Word, i int, why string) Doubt {
	return Doubt{Text: words[0].Text + ": " + why, Word: i}
}
