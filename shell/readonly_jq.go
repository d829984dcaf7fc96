package shell

import "strings"

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
	filter = strings.TrimLeft(filter, " \t\r\n")
	for strings.HasPrefix(filter, "#") {
		comment, rest, _ := strings.Cut(filter, "\n")
		if strings.HasSuffix(strings.TrimRight(comment, "\r"), "\\") {
			return true // for some versions the next line belongs to it
		}
		filter = strings.TrimLeft(rest, " \t\r\n")
	}
	for _, word := range []string{"import", "include", "module"} {
		rest, ok := strings.CutPrefix(filter, word)
		if ok && rest != "" && strings.IndexByte(" \t\r\n\"#{("+unknownMark, rest[0]) >= 0 {
			return true
		}
	}
	return false
}

// yqReadsFiles: load and its kin read a file wherever they stand, and eval runs a text that may
// hold them.
func yqReadsFiles(filter string) bool {
	if jqReadsFiles(filter) {
		return true
	}
	for i := range len(filter) {
		if i > 0 && isNameByte(filter[i-1]) {
			continue
		}
		end := i
		for end < len(filter) && isNameByte(filter[end]) {
			end++
		}
		name := filter[i:end]
		called := strings.HasPrefix(strings.TrimLeft(filter[end:], " \t\r\n"), "(")
		if called && (strings.HasPrefix(name, "load") || name == "eval") {
			return true
		}
	}
	return false
}
