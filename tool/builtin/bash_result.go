package builtin

import (
	"fmt"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/tool"
)

// result ends the command and says what came of it.
func (r *run) result(why ending, limit time.Duration) tool.Result {
	exit, gone := r.end(why)
	stdout, stderr := share(r.stdout.output(), r.stderr.output(), maxShown)
	var before, after string
	whoEnded := "the command and what it had started were ended"
	if exit.survived || !gone {
		whoEnded = "the command was killed"
	}
	outcome := tool.Failed
	switch {
	case why == cancelled:
		before, outcome = "It was interrupted; "+whoEnded+".", tool.Interrupted
	case why == overdue:
		before = fmt.Sprintf("timed out after %v; %s. "+
			"If it needs longer, pass a timeout in milliseconds (at most %d).", limit, whoEnded, maxTimeout.Milliseconds())
	case exit.signal != "":
		before = "ended by " + exit.signal
	case exit.code != 0:
		before = fmt.Sprintf("Exit code %d", exit.code)
	default:
		outcome = tool.Succeeded
	}
	switch {
	case exit.survived:
		after = "[It left processes running that could not be ended: they have detached themselves (setsid) or belong to another user.]"
	case r.left:
		after = "[It left processes in the background; they were ended with the call.]"
	}
	if !gone {
		after = "[It was killed and has not ended yet: a process of it belongs to another user or hangs in the kernel.]"
	}
	text := paragraphs(before, stdout, stderr, after)
	switch { // models' servers take no text in which there is nothing to see
	case text == "":
		text = "(no output)"
	case strings.TrimSpace(text) == "":
		text = "(only blanks)"
	}
	ended := why == cancelled || why == overdue
	return tool.Result{Text: text, Outcome: outcome, Data: bashData(stdout, stderr, ended)}
}

// paragraphs puts each text on lines of its own and leaves out those that are empty.
func paragraphs(texts ...string) string {
	var all []string
	for _, text := range texts {
		if text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, "\n")
}

func bashData(stdout, stderr string, interrupted bool) strictjson.Raw {
	return data(map[string]any{
		"stdout": stdout, "stderr": stderr, "interrupted": interrupted, "isImage": false, "noOutputExpected": false,
	})
}
