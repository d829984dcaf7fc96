package hook

import (
	"fmt"
	"strings"

	"github.com/assent-dev/assent/permission"
)

// WhoSays is what hooks said that want a call to be allowed, asked about, denied or deferred,
// each with its name and its place. Their reasons alone could be anybody's words.
func WhoSays(behavior permission.Behavior, runs []Run) string {
	var all []string
	for _, run := range runs {
		if run.Event == PreToolUse && run.Decision == behavior {
			all = append(all, run.says())
		}
	}
	if len(all) == 0 {
		return ""
	}
	return numbered(all)
}

// says is the reason of a hook, and whose it is.
func (r Run) says() string {
	title := title(r.Hook, r.Origin)
	plain := saysOnly(title, r.Decision)
	if r.Reason == "" || r.Reason == plain {
		return plain
	}
	return strings.TrimSuffix(r.Reason, ".") + ", says hook " + title
}

// saysOnly is the decision of a hook that gave no reason.
func saysOnly(title string, decision permission.Behavior) string {
	return fmt.Sprintf("hook %s says %v", title, decision)
}
