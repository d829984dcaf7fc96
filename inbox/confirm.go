package inbox

import (
	"net/http"
	"strings"

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
	} else if path := call.Path().Given; path != "" {
		c.word(path)
	}
	if j.judgement.Decision.NeedsPerson && call.Script() == nil {
		c.Why = policy.WellFormed(policy.PartText(j.judgement.Decision.Reason.String()))
	}
	return c
}

// ofScript names what the worst of a script is about.
func (c *confirmation) ofScript(s *shell.Script) {
	findings := s.Danger()
	if len(findings) == 0 {
		if len(s.Commands) > 0 {
			c.word(s.Commands[0].Program())
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
	command := &s.Commands[worst.Command]
	c.word(command.Program())
	for _, w := range command.Args() {
		if w.Known() && !strings.HasPrefix(w.Text, "-") {
			c.word(w.Text)
		}
	}
}

// word takes the last name of a path, if people can type it.
func (c *confirmation) word(text string) {
	text = strings.TrimRight(text, "/")
	text = text[strings.LastIndexByte(text, '/')+1:]
	if typeable(text) == text {
		c.Word = text
	}
}

// typeable is a word, if it is short and every letter is on every keyboard; else another
// one that is.
func typeable(text string) string {
	const longest, instead = 40, "approve"
	if text == "" || len(text) > longest {
		return instead
	}
	for i := range len(text) {
		if text[i] <= ' ' || text[i] > '~' {
			return instead
		}
	}
	return text
}

// confirmed refuses a yes to a call of high risk without the word.
func confirmed(c *confirmation, typed string) error {
	if c == nil || strings.TrimSpace(typed) == c.Word {
		return nil
	}
	return &Fault{Status: http.StatusForbidden, Code: Confirm, Message: "the risk of this call is high: type " + c.Word + " to approve it", Details: c}
}
