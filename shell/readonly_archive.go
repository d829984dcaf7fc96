package shell

import "strings"

const (
	tarLetters = "tvzjJZaf"
	tarOptions = "list verbose file= gzip gunzip bzip2 xz zstd auto-compress wildcards no-wildcards exclude= show-transformed-names " +
		"totals utc full-time numeric-owner block-number strip-components= help version"
)

// doubtTar allows listing an archive. The first word may be letters without a
// dash; a name with ":" is a file on another machine.
func doubtTar(words []Word) Doubt {
	lists := false
	for i := 1; i < len(words); i++ {
		text := words[i].Text
		switch {
		case words[i].several() || !words[i].Known():
			return doubtOf(words, i, "an argument that is only known when it runs may be an option")
		case strings.IndexByte(text, ':') >= 0:
			return doubtOf(words, i, "may be a file on another machine")
		case strings.HasPrefix(text, "--"):
			if name, _, _ := strings.Cut(text[2:], "="); longArity(tarOptions, name) == notListed {
				return doubtOf(words, i, "the option "+text+" is not known to only read")
			}
			lists = lists || text == "--list" || text == "--help" || text == "--version"
		case i == 1 || len(text) > 1 && text[0] == '-':
			letters := strings.TrimPrefix(text, "-")
			// A letter behind f is a glued name for one tar and an option for another.
			if strings.Trim(letters, tarLetters) != "" || strings.IndexByte(strings.TrimSuffix(letters, "f"), 'f') >= 0 {
				return doubtOf(words, i, "the option "+text+" is not known to only read")
			}
			lists = lists || strings.IndexByte(letters, 't') >= 0
		}
	}
	if !lists {
		return doubtOf(words, 0, "only listing is known to only read")
	}
	return Doubt{}
}

// doubtUnzip allows listing (-l, -v, -Z, -z), testing (-t) and printing (-p, -c).
func doubtUnzip(words []Word) Doubt {
	reads := false
	for i := 1; i < len(words); i++ {
		text := words[i].Text
		switch {
		case words[i].several() || !words[i].Known():
			return doubtOf(words, i, "an argument that is only known when it runs may be an option")
		case len(text) < 2 || text[0] != '-':
		case i > 1 || strings.Trim(text[1:], "lvZztpcq1") != "":
			return doubtOf(words, i, "the option "+text+" is not known to only read")
		default:
			reads = strings.ContainsAny(text, "lvZztpc")
		}
	}
	if !reads {
		return doubtOf(words, 0, "unpacks files")
	}
	return Doubt{}
}

// doubtCompressor allows printing to the standard output (-c), listing (-l) and
// testing (-t). A later -d takes back -l and -t in some of them.
func doubtCompressor(words []Word) Doubt {
	letters := ""
	for i := 1; i < len(words); i++ {
		text := words[i].Text
		switch {
		case words[i].several() || !words[i].Known():
			return doubtOf(words, i, "an argument that is only known when it runs may be an option")
		case len(text) < 2 || text[0] != '-':
		case strings.Trim(text[1:], "cdfklqtv"+digits) != "":
			return doubtOf(words, i, "the option "+text+" is not known to only read")
		default:
			letters += text
		}
	}
	if strings.Contains(letters, "c") || strings.ContainsAny(letters, "lt") && !strings.Contains(letters, "d") {
		return Doubt{}
	}
	return doubtOf(words, 0, "replaces the file")
}
