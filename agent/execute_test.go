package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// Whatever a tool says, the call that ran is on record and the session goes on.
func TestNothingAToolSaysBreaksTheRecord(t *testing.T) {
	for name, run := range map[string]func() tool.Result{
		"text":      func() tool.Result { return tool.Succeed("MARK \xff") },
		"a failure": func() tool.Result { return tool.Fail("MARK \xff") },
		"a panic":   func() tool.Result { panic("MARK \xff") },
		"data": func() tool.Result {
			return tool.Result{Text: "MARK", Data: strictjson.Raw("{\"a\":\"\xff\"}"), Outcome: tool.Succeeded}
		},
		"no data": func() tool.Result {
			return tool.Result{Text: "MARK", Data: strictjson.Raw("{"), Outcome: tool.Succeeded}
		},
		"a block": func() tool.Result {
			return tool.Result{Blocks: []strictjson.Raw{strictjson.Raw("{\"type\":\"text\",\"text\":\"MARK \xff\"}")}, Outcome: tool.Succeeded}
		},
		"no block": func() tool.Result {
			return tool.Result{Blocks: []strictjson.Raw{strictjson.Raw("MARK")}, Outcome: tool.Succeeded}
		},
		"both kinds": func() tool.Result {
			return tool.Result{Text: "MARK \xff", Data: strictjson.Raw("\xff"), Outcome: tool.Succeeded}
		},
	} {
		w := newWorld(t, config{mode: permission.BypassPermissions, turns: []reply{{calls: []model.Block{use("t", "Read", read1)}}, {text: "ok"}}})
		w.tools.run = func(context.Context, tool.Job) tool.Result { return run() }
		if result := w.prompt("go"); result.IsError || result.Text != "ok" {
			t.Errorf("%s: %+v", name, result)
		}
		if told := w.model.last(); !strings.Contains(told, "MARK") {
			t.Errorf("%s: the model was told %s", name, told)
		}
	}
}

// What a tool shows keeps its kind, so that a provider that has to translate it can.
func TestBlocksOfAResultKeepTheirKind(t *testing.T) {
	w := newWorld(t, config{mode: permission.BypassPermissions, turns: []reply{{calls: []model.Block{use("t", "Read", read1)}}, {text: "ok"}}})
	w.tools.run = func(context.Context, tool.Job) tool.Result {
		return tool.Result{Outcome: tool.Succeeded, Blocks: []strictjson.Raw{
			strictjson.Raw(`{"type":"text","text":"see"}`), strictjson.Raw(`{"type":"image","source":{"type":"url","url":"x"}}`),
		}}
	}
	w.prompt("go")
	got := w.results()["t"].Result
	if len(got) != 2 || got[0].Kind != model.Text || got[0].Text != "see" || got[1].Kind != "image" {
		t.Errorf("%+v", got)
	}
}
