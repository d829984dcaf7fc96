package launch

import (
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/tool"
)

// warnUnmatched names the rules that no call can match: tools and parameters of servers are
// known only now.
func warnUnmatched(o Options, loaded *settings.Settings, offered []tool.Runner) {
	tools := make([]policy.Described, len(offered))
	for i := range offered {
		tools[i] = offered[i]
	}
	for _, f := range policy.Unmatched(loaded, tools) {
		o.Warn(f.Place() + ": " + f.Text + " (" + f.Fix + ")")
	}
}
