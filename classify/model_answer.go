package classify

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// ErrUnreadable says that a model's answer is not a verdict.
var ErrUnreadable = errors.New("the classifier model did not give a verdict")

// mostReason is how long a reason may be.
const mostReason = 2000

func unreadable(why string) error { return fmt.Errorf("%w: %s", ErrUnreadable, why) }

// readTurn finds the verdict in a model's turn: one text, that of a turn which was
// ended by the model itself.
func readTurn(turn model.Turn, nonce string) (Verdict, error) {
	if turn.StopReason != "end_turn" {
		return Verdict{}, unreadable("the turn ended by " + visible(turn.StopReason))
	}
	text, found := "", false
	for _, b := range turn.Content {
		switch b.Kind {
		case model.Text:
			if found {
				return Verdict{}, unreadable("there is more than one text")
			}
			text, found = b.Text, true
		case "thinking", "redacted_thinking": // nothing that it says counts
		default:
			return Verdict{}, unreadable("there is something beside the text")
		}
	}
	return readAnswer(text, nonce)
}

// readAnswer reads one JSON object with exactly the four members of a verdict. Anything
// else, be it a word more, is no answer: what is almost a verdict may be somebody
// else's.
func readAnswer(text, nonce string) (Verdict, error) {
	if nonce == "" {
		return Verdict{}, unreadable("no nonce was given out")
	}
	tree, err := strictjson.Tree(text)
	if err != nil {
		return Verdict{}, unreadable(err.Error())
	}
	if tree.Kind != '{' {
		return Verdict{}, unreadable("it is no object")
	}
	values := map[string]string{}
	for _, member := range tree.Members() {
		switch name := member.Name.Text(); name {
		case "nonce", "outcome", "risk", "reason":
			if member.Value.Kind != '"' {
				return Verdict{}, unreadable(name + " is no string")
			}
			values[name] = member.Value.Text()
		default:
			return Verdict{}, unreadable("it has an unknown member " + visible(name))
		}
	}
	if len(values) != 4 {
		return Verdict{}, unreadable("nonce, outcome, risk or reason is missing")
	}
	if subtle.ConstantTimeCompare([]byte(values["nonce"]), []byte(nonce)) != 1 {
		return Verdict{}, unreadable("the nonce is not the one that was given out")
	}
	return readVerdict(values["outcome"], values["risk"], values["reason"])
}

func readVerdict(outcome, risk, reason string) (v Verdict, err error) {
	switch outcome {
	case "approve":
		v.Outcome = Approve
	case "refuse":
		v.Outcome = Refuse
	default:
		return Verdict{}, unreadable("the outcome is an unknown word")
	}
	switch risk {
	case "low":
		v.Risk = Low
	case "medium":
		v.Risk = Medium
	case "high":
		v.Risk = High
	default:
		return Verdict{}, unreadable("the risk is an unknown word")
	}
	switch {
	case strings.TrimSpace(reason) == "" || len(reason) > mostReason:
		return Verdict{}, unreadable("the reason is empty or too long")
	case v.Outcome == Approve && v.Risk == High:
		return Verdict{}, unreadable("it approves what it calls a high risk")
	}
	v.Reasons = []string{oneLine(reason, mostReason)}
	return v, nil
}
