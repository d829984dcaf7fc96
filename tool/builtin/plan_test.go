package builtin

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

func TestPlanMode_Enter(t *testing.T) {
	runner := newEnterPlanMode()
	result := runner.Run(t.Context(), jobFor(t, runner, "/", input{}))
	if result.Outcome != tool.Succeeded || result.Mode != permission.Plan || !strings.Contains(result.Text, "ExitPlanMode") {
		t.Errorf("outcome %d, mode %v: %q", result.Outcome, result.Mode, result.Text)
	}
}

func TestPlanMode_Exit(t *testing.T) {
	runner := newExitPlanMode()
	for plan, want := range map[string]string{
		"1. Do it.": `{"plan":"1. Do it.","isAgent":false}`,
		"":          `{"plan":"","isAgent":false}`,
	} {
		in := input{}
		if plan != "" {
			in["plan"] = plan
		}
		result := runner.Run(t.Context(), jobFor(t, runner, "/", in))
		if result.Outcome != tool.Succeeded || result.Mode != permission.Default || !strings.HasPrefix(result.Text, "The plan was approved.") || !strings.HasSuffix(result.Text, plan) {
			t.Errorf("%q: outcome %d, mode %v: %q", plan, result.Outcome, result.Mode, result.Text)
		}
		if got := result.Data.String(); got != want {
			t.Errorf("%q: data %s, want %s", plan, got, want)
		}
	}
}

func TestOrders(t *testing.T) {
	for _, runner := range []tool.Runner{newGlob(Options{}), newGrep(Options{}), newWebFetch(Options{})} {
		if runner.Order(nil) != tool.Beside {
			t.Errorf("%s does not run beside others", runner.Name())
		}
	}
	for _, runner := range []tool.Runner{newAskUserQuestion(), newEnterPlanMode(), newExitPlanMode(), newTodoWrite()} {
		if runner.Order(nil) != tool.Alone {
			t.Errorf("%s does not run alone", runner.Name())
		}
	}
}
