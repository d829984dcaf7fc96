package agent_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// An agent that has tools to search and no Read finds what rules let it read, and nothing
// else.
func TestP13_SearchingWithoutRead(t *testing.T) {
	for name, tt := range map[string]struct {
		rules []string
		want  string
	}{
		"no rule":           {nil, "a.txt true, .env true"},
		"a rule for a file": {[]string{"deny Read(.env)"}, "a.txt true, .env false"},
		"a question":        {[]string{"ask Read(.env)"}, "a.txt true, .env false"},
		"no Read at all":    {[]string{"deny Read"}, "a.txt false, .env false"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, config{
				mode: permission.BypassPermissions, rules: tt.rules, turns: []reply{{calls: []model.Block{use("t", "Bash", `{"command":"ls"}`)}}, {text: "ok"}},
				change: func(c *agent.Config) {
					c.Tools = slices.DeleteFunc(c.Tools, func(r tool.Runner) bool { return r.Name() == "Read" })
				},
			})
			got := ""
			w.tools.run = func(_ context.Context, job tool.Job) tool.Result {
				got = fmt.Sprintf("a.txt %v, .env %v", job.MayRead("/project/a.txt"), job.MayRead("/project/.env"))
				return tool.Succeed("ok")
			}
			w.prompt("go")
			if got != tt.want {
				t.Errorf("may read: %s; want %s", got, tt.want)
			}
		})
	}
}
