package inbox

import (
	"net/http"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/shell"
)

// confirmation is a word that a person has to type before a call of high risk runs: nobody
// types the name of what is destroyed without having read it.
type confirmation struct {
	Word string `json:"word"`
	Why  string `json:"why"`
}

// anyCall is the word for a call that is not about one thing that has a name. It is the same
// for all: a word out of the call would be one that its model has chosen.
const anyCall = "approve"

// hiddenCode is why a command is of high risk that does not say what it runs.
const hiddenCode = "it runs what does not stand in it, so nobody can say what that is"

// confirmationOf is the word for a call; nil when its risk is not high.
func confirmationOf(j judged, parked permission.Risk) *confirmation {
	if j.risk(parked) != permission.HighRisk {
		return nil
	}
	c := &confirmation{Word: typeable(j.call.Tool), Why: "it cannot be understood, or cannot be undone"}
	if j.judgement == nil || j.judgement.Call == nil {
		return c
	}
	call := j.judgement.Call
	if script := call.Script(); script != nil {
		c.ofScript(script)
	} else if path := call.Path(); path.Given != "" {
		c.Word = fileWord(j.call, path)
	}
	if j.judgement.Decision.NeedsPerson && call.Script() == nil {
		c.Why = policy.WellFormed(policy.PartText(j.judgement.Decision.Reason.String()))
	}
	return c
}

// fileWord is the name of a file. The model may have given it another one, behind which a link
// leads to it: then it is as much of the end of the real path as the given one does not have, so
// that nobody types the word who has read only the name of the link.
func fileWord(call approval.Call, path permission.Path) string {
	if path.Real == "" || path.Real == path.Given || path.Real == behindDirectory(call.Cwd, path.Given) {
		return lastName(path.Given)
	}
	given, rest := strings.Split(path.Given, "/"), strings.Split(path.Real, "/")
	at := len(rest) - 1
	for i := len(given) - 1; i > 0 && at > 1 && given[i] == rest[at]; i-- {
		at--
	}
	if word := strings.Join(rest[at:], "/"); typeable(word) == word {
		return word
	}
	return typeable(rest[at]) // the directory in which it lies, where the whole is too long
}

// ofScript names what the worst of a script is about.
func (c *confirmation) ofScript(s *shell.Script) {
	c.Word = anyCall
	findings := s.Danger()
	if len(findings) == 0 {
		switch trees := s.DeletedTrees(); {
		case s.Problem != nil:
		case s.Hidden() != nil:
			c.Why = hiddenCode
		case len(trees) > 0:
			c.Word, c.Why = wordOfTrees(trees)
		}
		return
	}
	worst := findings[0]
	for _, f := range findings {
		if f.Floor && !worst.Floor {
			worst = f
		}
	}
	c.Why = policy.WellFormed(policy.PartText(worst.Text))
	c.Word = targetOf(&s.Commands[worst.Command], worst)
}

// targetOf is what a command that was found dangerous is aimed at. Where the finding is
// about a word that tells a program what to do, these are all words behind it: typing one of
// them would leave the others unread.
func targetOf(command *shell.Command, f shell.Finding) string {
	if f.Word == "" || strings.HasPrefix(f.Word, "/dev/fd/") { // which is bash's name for what a command prints
		return anyCall
	}
	var behind []string
	met := false
	for _, w := range command.Args() {
		switch {
		case !met:
			met = w.Text == f.Word
		case !w.Known():
			return anyCall
		case !strings.HasPrefix(w.Text, "-"):
			behind = append(behind, w.Text)
		}
	}
	switch {
	case f.AboutVerb() && len(behind) > 1 && command.Program() == "git" && f.Word == "push":
		behind = behind[1:] // the name of the remote
	case !f.AboutVerb() || len(behind) == 0:
		return lastName(f.Word)
	}
	if len(behind) == 1 {
		return lastName(strings.TrimLeft(behind[0], ":+"))
	}
	return typeable(strings.Join(behind, " "))
}

// lastName is the last name of a path, or all of it where that is too short to be read.
func lastName(path string) string {
	path = strings.TrimRight(path, "/")
	if last := path[strings.LastIndexByte(path, '/')+1:]; typeable(last) == last {
		return last
	}
	return typeable(path)
}

// typeable is a text, if it is short, says something, and every letter is on every keyboard;
// else the word for all.
func typeable(text string) string {
	const shortest, longest = 3, 40
	if len(text) < shortest || len(text) > longest || text != strings.TrimSpace(text) {
		return anyCall
	}
	letters := false
	for i := range len(text) {
		switch c := text[i]; {
		case class(c) == 'a' || class(c) == 'A':
			letters = true
		case class(c) == 'd' || strings.IndexByte(" ._-/:@~+=", c) >= 0:
		default:
			return anyCall
		}
	}
	if !letters {
		return anyCall
	}
	return text
}

// confirmed refuses a yes to a call of high risk without the word.
func confirmed(c *confirmation, typed string) error {
	if c == nil || strings.TrimSpace(typed) == c.Word {
		return nil
	}
	message := "the risk of this call is high: type " + c.Word + " to approve it"
	if typed != "" {
		message = "that is not the word for this call, whose risk is high: type " + c.Word + " to approve it"
	}
	return &Fault{Status: http.StatusForbidden, Code: Confirm, Message: message, Details: c}
}
