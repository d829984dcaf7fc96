package shell

import "strings"

// The words of a find expression, "=" behind those that take an argument.
const findTests = "name= type= path= maxdepth= iname= not o print size= mtime= ! ( ) , H L P E X s x d a and or true false print0 ls prune quit depth " +
	"daystart follow help -help version -version " +
	"ignore_readdir_race noignore_readdir_race mount xdev noleaf nowarn warn empty executable readable writable nogroup nouser sparse acl xattr " +
	"ipath= wholename= iwholename= regex= iregex= lname= ilname= xtype= atime= ctime= mmin= amin= cmin= " +
	"used= newer= anewer= cnewer= perm= user= group= uid= gid= links= inum= samefile= fstype= mindepth= regextype= printf= " +
	"context= files0-from= D= f= flags= Btime= Bmin= Bnewer= mnewer= xattrname= O0 O1 O2 O3"

// findActions do more than look.
var findActions = [...]string{"-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls"}

// doubtFind: find has no clusters and no abbreviations, but actions may hide in
// words that are not known before they are expanded.
func doubtFind(words []Word) Doubt {
	for i := 1; i < len(words); i++ {
		action := findAction(&words[i])
		if action != "" && words[i].Text != action {
			return doubtOf(words, i, "a word that is only known when it runs may be an action such as -exec or -delete")
		}
		if action != "" {
			return Doubt{Text: words[0].Text + " " + action + " " + findDoes(action), Word: i}
		}
		text := words[i].Text
		if len(text) < 2 || text[0] != '-' || !words[i].Known() {
			continue
		}
		takes := longArity(findTests, text[1:])
		if takes == notListed && isNewer(text) {
			takes = takesValue
		}
		if takes == notListed {
			return doubtOf(words, i, "the test "+text+" is not known")
		}
		if takes == takesValue && i+1 < len(words) && isConstantValue(&words[i+1]) {
			i++
		}
	}
	return Doubt{}
}

// isConstantValue: one word whatever it expands to, and no action.
func isConstantValue(w *Word) bool {
	if w.several() {
		return false
	}
	return !w.Known() || findAction(w) == ""
}

// isNewer: -newerXY compares two times of files.
func isNewer(text string) bool {
	return len(text) == len("-newerXY") && strings.HasPrefix(text, "-newer") &&
		strings.IndexByte("aBcm", text[6]) >= 0 && strings.IndexByte("aBcmt", text[7]) >= 0
}

// findAction is the action that a word is or may turn into, "" when none.
func findAction(w *Word) string {
	if w.Split && !startsWithHome(w) {
		return findActions[0]
	}
	if startsWithHome(w) || w.Text == "" || w.Text[0] != '-' && w.Text[0] != Unknown && w.Text[0] != Glob {
		return ""
	}
	if w.Known() {
		if isFindAction(w.Text) {
			return w.Text
		}
		return ""
	}
	for _, action := range findActions {
		if mayBecome(w.Text, action) {
			return action
		}
	}
	return ""
}

func isFindAction(text string) bool {
	switch text {
	case "-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls":
		return true
	}
	return false
}

// mayBecome reports whether a text with marks can expand to want. It matches a
// wildcard pattern, going back only to the last mark, so it is never slow.
func mayBecome(text, want string) bool {
	i, j, mark, from := 0, 0, -1, 0
	for j < len(want) {
		switch {
		case i < len(text) && (text[i] == Unknown || text[i] == Glob):
			mark, from = i, j
			i++
		case i < len(text) && text[i] == want[j]:
			i++
			j++
		case mark >= 0:
			from++
			i, j = mark+1, from
		default:
			return false
		}
	}
	return onlyMarks(text[i:])
}

func findDoes(action string) string {
	switch action {
	case "-delete":
		return "deletes files"
	case "-exec", "-execdir", "-ok", "-okdir":
		return "runs a program"
	}
	return "writes a file"
}
