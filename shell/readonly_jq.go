package shell

import (
	"slices"
	"strings"
)

// No argument makes jq write or run anything; --arg and its kin take two words, which are
// harmless operands here.
var jqOptions = optionSpec{
	loose: true, short: "01234567aCcehjLMnRrSsV",
	long: "arg argjson slurpfile rawfile args jsonargs ascii-output color-output compact-output exit-status help " +
		"indent join-output library-path monochrome-output null-input raw-input raw-output raw-output0 seq slurp sort-keys " +
		"stream stream-errors tab unbuffered build-configuration version",
	harm: "-f --from-file: runs a filter from a file, which may read others",
}

var yqOptions = optionSpec{
	exact: true, short: "0CcehI:jMmNno:Pp:RrSVvwxYy",
	long: "colors no-colors exit-status header-preprocess indent= input-format= output-format= expression= null-input no-doc prettyPrint " +
		"raw-output raw-input unwrapScalar? compact-output yaml-output yml-output yaml-roundtrip yml-roundtrip " +
		"arg argjson args jsonargs xml-output join-output sort-keys slurp monochrome-output color-output nul-output verbose help version",
	harm: "-i --inplace --in-place: edits the file; -s --split-exp --split-exp-file: writes files; -f --from-file: runs an expression from a file; " +
		"--security-enable-system-operator: lets an expression run programs",
}

// namesFiles is why a filter is more than that.
const namesFiles = "the filter reads files that stand in it"

// doubtJq looks at the filter, which may read files by itself. Which of the words is the filter
// does not matter: no other begins like that.
func doubtJq(words []Word) Doubt { return doubtFilter(&jqOptions, words, jqReadsFiles) }

// doubtYq is the same for two programs of one name, one of which hands its filter to jq.
func doubtYq(words []Word) Doubt { return doubtFilter(&yqOptions, words, yqReadsFiles) }

func doubtFilter(options *optionSpec, words []Word, readsFiles func(string) bool) Doubt {
	if doubt := options.check(words, 1); doubt.Text != "" {
		return doubt
	}
	for i := 1; i < len(words); i++ {
		if readsFiles(words[i].Text) {
			return doubtOf(words, i, namesFiles)
		}
	}
	return Doubt{}
}

// jqReadsFiles: a filter of jq begins with the files that it reads, and can read none later.
func jqReadsFiles(filter string) bool {
	filter, plain := behindComments(filter)
	return !plain || slices.ContainsFunc(jqModules, func(word string) bool {
		rest, ok := strings.CutPrefix(filter, word)
		// What goes on like a name is another word, or that of a file.
		return ok && rest != "" && !isNameByte(rest[0]) && strings.IndexByte("./-", rest[0]) < 0
	})
}

// jqMayReadFiles is the same for a filter of which a part is only known when it runs, and may be
// the beginning.
func jqMayReadFiles(filter string) bool {
	known, _, partly := strings.Cut(filter, unknownMark)
	if !partly {
		return jqReadsFiles(filter)
	}
	begins, plain := behindComments(known)
	return !plain || begins == "" || jqReadsFiles(filter) || slices.ContainsFunc(jqModules, func(word string) bool { return strings.HasPrefix(word, begins) })
}

// jqModules are the words with which jq reads other files, or may stand before them.
var jqModules = []string{"import", "include", "module"}

// behindComments is a filter without what stands before it. It is not plain where nobody can say
// how far a comment goes: to its end there is none, or for some versions the next line belongs to
// it.
func behindComments(filter string) (_ string, plain bool) {
	const blanks = " \t\r\n"
	filter = strings.TrimLeft(filter, blanks)
	for strings.HasPrefix(filter, "#") {
		comment, rest, ended := strings.Cut(filter, "\n")
		if !ended || strings.HasSuffix(strings.TrimRight(comment, "\r"), "\\") {
			return "", false
		}
		filter = strings.TrimLeft(rest, blanks)
	}
	return filter, true
}

// yqReadsFiles: load and its kin read a file wherever they stand, under several names, and eval
// runs a text that may hold them. The name of a field follows a dot, or is a string. A part that
// is only known when it runs may be any of these.
func yqReadsFiles(filter string) bool {
	if jqReadsFiles(filter) || strings.IndexByte(filter, Unknown) >= 0 {
		return true
	}
	if filter == "eval" || filter == "eval-all" { // which are commands of yq
		return false
	}
	inString := false
	for i := 0; i < len(filter); i++ {
		switch c := filter[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString || !isNameByte(c):
		default:
			end := i
			for end < len(filter) && isNameByte(filter[end]) {
				end++
			}
			name, field := filter[i:end], i > 0 && filter[i-1] == '.'
			if !field && (strings.Contains(name, "load") || strings.Contains(name, "eval")) {
				return true
			}
			i = end - 1
		}
	}
	return false
}
