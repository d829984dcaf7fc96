package shell

import "strings"

// showsEnvironment: what other processes were started with is not what a command only reads.
// Keys and passwords are there, also those that no command inherits.
const showsEnvironment = "shows the environment of other processes, in which there may be keys"

// The letters of ps, by what they are written with. Those with a value come second. An e is
// "all processes" behind a dash, and the environment without one. With -u, what follows in the
// same word may be a user, or letters as if there were no dash: that is told apart by whether
// there is such a user.
const (
	psDashed, psDashedValue = "AaCcdeFfHjLlMNPTVwyZ", "CGOUgkopqstu"
	psPlain, psPlainValue   = "AaCcfgHhjLlMmnrSsTuVvwXxZ", "kopqtUO"
)

// psLong are the long ones; those with a value end in =.
const psLong = " all deselect forest headers help info no-headers version cols= columns= cumulative format= group= Group= lines= pid= ppid= quick-pid= rows= sid= sort= tty= user= User= width= "

// doubtPs allows what shows processes without their environment.
func doubtPs(words []Word) Doubt {
	for i := 1; i < len(words); i++ {
		if !words[i].Known() {
			return doubtOf(words, i, showsEnvironment)
		}
		value, fine := psWord(words[i].Text)
		if fine && value == "" {
			continue
		}
		if i++; !fine || i == len(words) || !words[i].Known() || value == "o" && !psColumns(words[i].Text) {
			return doubtOf(words, min(i, len(words)-1), showsEnvironment)
		}
	}
	return Doubt{}
}

// psWord says whether a word shows no environment, and which letter, if any, has the next word
// as its value; o for what names columns.
func psWord(text string) (value string, fine bool) {
	if long, ok := strings.CutPrefix(text, "--"); ok {
		name, given, attached := strings.Cut(long, "=")
		switch {
		case strings.Contains(psLong, " "+name+" "):
			return "", !attached
		case !strings.Contains(psLong, " "+name+"= "):
			return "", false
		case attached:
			return "", name != "format" || psColumns(given)
		case name == "format":
			return "o", true
		}
		return name, true
	}
	letters, with := psPlain, psPlainValue
	rest, dashed := strings.CutPrefix(text, "-")
	if dashed {
		letters, with = psDashed, psDashedValue
	} else if strings.Trim(text, "0123456789,") == "" { // the numbers of processes
		return "", true
	}
	if text == "-aux" || text == "-auxw" || text == "-auxww" { // as everybody writes it
		return "", true
	}
	for i, letter := range rest {
		last := i == len(rest)-1
		switch {
		case last && strings.ContainsRune(with, letter) && !strings.ContainsRune(letters, letter):
			return strings.ToLower(string(letter)), true
		case last && dashed && letter == 'C':
			return "C", true
		case !strings.ContainsRune(letters, letter) || dashed && letter == 'C':
			return "", false
		}
	}
	return "", rest != ""
}

// psColumns: a list of columns has no environment among them.
func psColumns(text string) bool { return !strings.Contains(strings.ToLower(text), "env") }
