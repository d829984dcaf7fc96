package shell

import "strings"

// find reads its starting points; -delete deletes below them, -fprint writes.
func (l *accessList) find() {
	mode := Reads
	starts := true
	words := l.c.Words
	for i := 1; i < len(words); i++ {
		text := words[i].Text
		if starts = starts && !startsExpression(text); starts {
			continue
		}
		if firstMark(text) >= 0 { // it may be an action, and the next word its value
			if findAction(&words[i]) != "" {
				l.startingPoints(Reads)
				mode = Deletes
			}
			if i+1 < len(words) {
				l.word(Reads, i+1)
				l.word(Writes, i+1)
				l.listed(i+1, words[i+1].Text)
			}
			continue
		}
		switch text {
		case "-delete":
			mode = Deletes
		case "-exec", "-execdir", "-ok", "-okdir":
			end := endOfExec(words, i)
			if deletesFiles(words[i+1 : end]) {
				mode = Deletes
			}
			i = end
		case "-fprint", "-fprint0", "-fls", "-fprintf":
			if i+1 < len(words) {
				i++
				l.word(Writes, i)
			}
		case "-newer", "-anewer", "-cnewer", "-samefile", "-files0-from":
			if i+1 < len(words) {
				i++
				l.word(Reads, i)
				if text == "-files0-from" {
					l.listed(i, words[i].Text)
				}
			}
		default:
			if isNewer(text) && text[len(text)-1] != 't' && i+1 < len(words) {
				l.word(Reads, i+1)
			}
			if findValued.has(text) || isNewer(text) {
				i++
			}
		}
	}
	l.startingPoints(mode)
}

func (l *accessList) startingPoints(mode AccessMode) {
	if mode == Deletes {
		l.reach, l.follows = WholeTree, l.c.followsLinks()
	}
	for i := 1; i < len(l.c.Words) && !startsExpression(l.c.Words[i].Text); i++ {
		if !findOption(l.c.Words[i].Text) {
			l.word(mode, i)
		}
	}
}

// startsExpression: find's starting points end at the first word that looks like
// a test or an operator.
func startsExpression(text string) bool {
	if text == "" {
		return false
	}
	return text[0] == '-' && !findOption(text) || text == "(" || text == "!" || text == ")" || text == ","
}

// findOption: the options that stand before the starting points.
func findOption(text string) bool {
	return text == "-H" || text == "-L" || text == "-P" || strings.HasPrefix(text, "-O") || text == "-E" || text == "-X" || text == "-d" || text == "-x" || text == "-s"
}

// endOfExec is the index of the ";" or "+" that ends an -exec at index i, or the
// number of words.
func endOfExec(words []Word, i int) int {
	for end := i + 1; end < len(words); end++ {
		if text := words[end].Text; text == ";" || text == "+" && words[end-1].Text == "{}" {
			return end
		}
	}
	return len(words)
}

// deletesFiles: the command that find runs for each file removes it.
func deletesFiles(words []Word) bool {
	for i, word := range words {
		switch baseName(word.Text) {
		case "rm", "unlink", "shred", "srm", "rmdir", "grm":
			return true
		case "sudo", "env", "command", "nice", "xargs", "busybox", "sh", "bash", "-c", "time", "timeout":
		default:
			// sh -c 'rm "$@"' _ {}
			if i == 0 {
				return false
			}
			if strings.HasPrefix(strings.TrimSpace(word.Text), "rm ") {
				return true
			}
		}
	}
	return false
}

// findValued are the tests and actions of find that take one value.
var findValued = wordSet{list: "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -mtime -atime -ctime -mmin " +
	"-amin -cmin -user -group -uid -gid -perm -links -inum -maxdepth -mindepth -fstype -printf -used -context -regextype " +
	"-flags"}
