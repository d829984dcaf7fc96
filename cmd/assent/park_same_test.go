package main

import (
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/modeltest"
)

// The requests that a model receives are the same, byte for byte, whether a call was
// parked in between or not: with every way of resuming, and for every kind of call.
func TestS25_TheModelCannotTellThatThereWasAPause(t *testing.T) {
	t.Parallel()
	decision := func(word string) string {
		return `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"` + word + `"}}`
	}
	answered := `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"answers":{"Deploy?":"Yes"}}}}`
	noted := `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","additionalContext":"it is Friday"}}`
	for name, tt := range map[string]struct {
		call   model.Block
		answer string
		resume []string
	}{
		"resumed":     {modeltest.Call("toolu_1", "Bash", `{"command":"echo it is deployed","description":"deploy"}`), decision("allow"), []string{"--resume", "ID"}},
		"continued":   {modeltest.Call("toolu_1", "Bash", `{"command":"echo it is deployed"}`), decision("allow"), []string{"--continue"}},
		"in a fork":   {modeltest.Call("toolu_1", "Bash", `{"command":"echo it is deployed"}`), decision("allow"), []string{"--resume", "ID", "--fork-session"}},
		"with a note": {modeltest.Call("toolu_1", "Bash", `{"command":"echo it is deployed"}`), noted, []string{"--resume", "ID"}},
		"denied":      {modeltest.Call("toolu_1", "Bash", `{"command":"echo it is deployed"}`), decision("deny"), []string{"--resume", "ID"}},
		"a file":      {modeltest.Call("toolu_1", "Read", `{"file_path":"notes.txt"}`), decision("allow"), []string{"--resume", "ID"}},
		"a question":  {modeltest.Call("toolu_1", "AskUserQuestion", `{"questions":[{"question":"Deploy?","header":"Deploy","options":[{"label":"Yes","description":"do"},{"label":"No","description":"do not"}],"multiSelect":false}]}`), answered, []string{"--resume", "ID"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			straight, paused := newPlace(t), newPlace(t)
			paused.dir = straight.dir // the directory is part of what the model is told
			straight.write("notes.txt", "remember the milk\n")
			straight.write("hook.sh", "cat answer.json\n")
			straight.write("settings.json", `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"sh hook.sh"}]}]}}`)
			run := func(p *place, api *modeltest.Server, args ...string) {
				w := p.start(p.env("ANTHROPIC_API_KEY=key", "ANTHROPIC_BASE_URL="+api.URL),
					append([]string{"-p", "--settings", filepath.Join(p.dir, "settings.json")}, args...)...)
				w.stdin.Close()
				w.rest()
				if status := w.end(); status != 0 {
					t.Fatalf("%q: exit status %d\n%s", args, status, w.stderr)
				}
			}
			serve := func() *modeltest.Server {
				return modeltest.Messages(t, modeltest.Reply{Blocks: []model.Block{model.TextBlock("I do it."), tt.call}}, modeltest.Say("Done."))
			}
			const id = "44444444-4444-4444-8444-444444444444"

			without := serve()
			straight.write("answer.json", tt.answer)
			run(straight, without, "--session-id", id, "deploy it")

			with := serve()
			paused.write("answer.json", decision("defer"))
			run(paused, with, "--session-id", id, "deploy it")
			if n := len(with.Requests()); n != 1 {
				t.Fatalf("%d requests before the pause", n)
			}
			paused.write("answer.json", tt.answer)
			for i, arg := range tt.resume {
				if arg == "ID" {
					tt.resume[i] = id
				}
			}
			run(paused, with, tt.resume...)

			want, got := without.Requests(), with.Requests()
			if len(want) != 2 || len(got) != 2 {
				t.Fatalf("%d requests without a pause, %d with one", len(want), len(got))
			}
			for i := range want {
				if string(want[i].Body) != string(got[i].Body) {
					t.Errorf("request %d ends with\n%s\nand without the pause\n%s", i+1, tail(got[i].Body), tail(want[i].Body))
				}
			}
		})
	}
}

// tail is the end of a request, where the last result stands.
func tail(body []byte) []byte { return body[max(0, len(body)-600):] }
