package classify

import (
	"strings"

	"github.com/assent-dev/assent/shell"
)

// writer is a program that changes the files it names and nothing else, as long as it
// is given no other options than these. Which files those are is the business of the
// shell analysis.
type writer struct {
	short string // letters; one followed by ":" takes a value
	long  string // names, separated by blanks; one that ends in "=" takes a value
	// check judges what options do not tell; nil means nothing.
	check func(operands []shell.Word) string
}

// writerOf is what is known about a program, or nil. Not among them is what makes
// links, unpacks archives or copies whole trees: the names that these write are not
// in the command.
func writerOf(name string) *writer {
	switch name {
	case "touch":
		return &writer{short: "acmd:t:", long: "no-create date= time="}
	case "mkdir": // not -m, which can make it writable for everybody
		return &writer{short: "pv", long: "parents verbose"}
	case "rmdir":
		return &writer{short: "pv", long: "parents verbose ignore-fail-on-non-empty"}
	case "rm":
		return &writer{short: "rRfvidI", long: "recursive force verbose dir one-file-system preserve-root interactive"}
	case "cp":
		return &writer{short: "finpuvT", long: "force interactive no-clobber update verbose no-target-directory preserve"}
	case "mv":
		return &writer{short: "finuvT", long: "force interactive no-clobber update verbose no-target-directory"}
	case "tee":
		return &writer{short: "ai", long: "append ignore-interrupts"}
	case "chmod":
		return &writer{short: "vcf", long: "verbose changes silent quiet", check: plainMode}
	case "sed": // not -n, which leaves out lines, and not -z, to which a file is one line
		return &writer{short: "Erse:", long: "regexp-extended in-place expression="}
	case "gofmt", "gofumpt":
		return &writer{short: "lwdse", check: onlyGoFiles}
	case "tar":
		return &writer{check: plainArchive}
	case "sort": // which has read everything before it writes
		return &writer{short: "bdfghinrsuVzCck:t:o:", long: "unique reverse numeric-sort output= key=", check: somethingToRead}
	case "gzip", "bzip2", "xz": // not -f, which writes over another file, and not -d, whose result may be called anything
		return &writer{short: "123456789knqv", long: "keep best fast quiet verbose"}
	case "shellcheck":
		return &writer{short: "s:S:e:f:", long: "shell= severity= exclude= format="}
	}
	return nil
}

// object says what speaks against a command of the program. Help and version are
// always free.
func (w *writer) object(c *shell.Command) string {
	args := c.Args()
	if len(args) == 1 && (args[0].Text == "--help" || args[0].Text == "--version") {
		return ""
	}
	if c.Program() == "tar" {
		return w.check(args)
	}
	operands, why := w.operands(args, c.Program() == "sed")
	if why == "" && len(operands) == 0 && c.Program() != "tee" {
		why = "it names no file"
	}
	if why == "" && w.check != nil {
		why = w.check(operands)
	}
	if why == "" && c.Program() == "sed" {
		why = sedLoses(args)
	}
	return why
}

// operands are the words that are no options, if all the options are known.
func (w *writer) operands(args []shell.Word, suffixed bool) (operands []shell.Word, why string) {
	for k := 0; k < len(args); k++ {
		text := args[k].Text
		switch {
		case mayBeOption(args[k]):
			return nil, "a part that is only known when it runs may be an option"
		case text == "--":
			return append(operands, args[k+1:]...), ""
		case text == "-" || text == "" || text[0] != '-':
			operands = append(operands, args[k])
			continue
		case suffixed && (text == "-i" || strings.HasPrefix(text, "-i.") && plainName(text[2:])):
			continue
		}
		known, more := w.option(text)
		if !known {
			return nil, "the option " + visible(legible(text)) + " is not known to do no harm"
		}
		if more {
			if k++; k == len(args) || args[k].Split {
				return nil, "the option " + visible(text) + " has no value that is known"
			}
		}
	}
	return operands, ""
}

// mayBeOption: the word starts with something that is not known, or may be several.
func mayBeOption(w shell.Word) bool {
	return w.Split || w.Text != "" && w.Text[0] >= shell.Glob && !w.Home
}

// option says whether a word is made of known options, and whether the next word is the
// value of the last one.
func (w *writer) option(text string) (known, more bool) {
	if name, long := strings.CutPrefix(text, "--"); long {
		return listedOption(w.long, name)
	}
	for k := 1; k < len(text); k++ {
		at := strings.IndexByte(w.short, text[k])
		switch {
		case at < 0 || text[k] == ':':
			return false, false
		case at+1 < len(w.short) && w.short[at+1] == ':':
			return true, k+1 == len(text) // the rest of the word, or the next
		}
	}
	return true, false
}

// listedOption finds a long option, which must be written out.
func listedOption(list, text string) (known, more bool) {
	name, _, valued := strings.Cut(text, "=")
	for known := range strings.FieldsSeq(list) {
		switch {
		case known == name && !valued:
			return true, false
		case known == name+"=":
			return true, !valued
		}
	}
	return false, false
}

// plainName has nothing in it that means something to a shell or a path.
func plainName(text string) bool {
	for _, c := range []byte(text) {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-') {
			return false
		}
	}
	return text != ""
}

// plainMode: permissions for reading, writing and running, nothing that makes a program
// run as somebody else or a file writable for everybody.
func plainMode(operands []shell.Word) string {
	mode := operands[0].Text
	if octal := strings.TrimPrefix(mode, "0"); len(octal) == 3 && strings.Trim(octal, "01234567") == "" && strings.IndexByte("2367", octal[2]) < 0 {
		return ""
	}
	who, what, ok := cutAny(mode, "+-=")
	if ok && strings.Trim(who, "ugoa") == "" && strings.Trim(what, "rwxX") == "" && !(strings.Contains(what, "w") && strings.ContainsAny(who, "oa")) {
		return ""
	}
	return "the mode " + visible(legible(mode)) + " is not an ordinary one"
}

func cutAny(text, chars string) (before, after string, ok bool) {
	at := strings.IndexAny(text, chars)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+1:], true
}

func somethingToRead(operands []shell.Word) string {
	for _, w := range operands {
		if w.Text == "/dev/null" {
			return "there is nothing to sort, and what is in the file is lost"
		}
	}
	return ""
}

func onlyGoFiles(operands []shell.Word) string {
	for _, w := range operands {
		if !strings.HasSuffix(w.Text, ".go") {
			return "which files it formats is not known"
		}
	}
	return ""
}

// plainArchive: tar that packs files into an archive and does nothing else.
func plainArchive(args []shell.Word) string {
	const strange = "tar is only known to do no harm when it packs files: tar czf archive.tgz files"
	if len(args) < 3 {
		return strange
	}
	letters := strings.TrimPrefix(args[0].Text, "-")
	archive := args[1].Text
	if strings.Trim(letters, "czjJvpf") != "" || !strings.Contains(letters, "c") || !strings.HasSuffix(letters, "f") ||
		strings.Count(letters, "f") > 1 || !args[1].Known() || strings.Contains(archive, ":") || strings.HasPrefix(archive, "-") {
		return strange
	}
	if !archiveName(archive) {
		return "what tar writes is not called like an archive, and may be another file"
	}
	for _, w := range args[2:] {
		if mayBeOption(w) || strings.HasPrefix(w.Text, "-") {
			return strange
		}
	}
	return ""
}

// archiveName: the file is called like what tar makes.
func archiveName(name string) bool {
	for _, ending := range []string{".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tbz", ".tar.xz", ".txz"} {
		if strings.HasSuffix(name, ending) {
			return true
		}
	}
	return false
}
