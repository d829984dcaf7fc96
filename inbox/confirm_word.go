package inbox

import (
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// ConfirmWord is the word that a person has to type before a call runs, and why, for those
// who answer without a server. It is empty when the risk of the call is not high. The
// judgement is that of today's rules, nil when they do not know the tool; parked is the risk
// that was found when the call was parked.
func ConfirmWord(call approval.Call, judgement *policy.Judgement, parked permission.Risk) (word, why string) {
	c := confirmationOf(judged{call: call, judgement: judgement}, parked)
	if c == nil {
		return "", ""
	}
	return c.Word, c.Why
}
