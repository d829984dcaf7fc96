//go:build linux

package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	judged "github.com/assent-dev/assent/shell"
	"github.com/assent-dev/assent/tool"
)

// A regime is a set of rules, and what must not happen when it allows a script.
type regime struct {
	name        string
	mode        permission.Mode
	allow, deny []string
	// forbidden is the list of what must not run; where it is empty that is every program whose
	// call is not allowed by itself.
	forbidden []string
	// reads: no file is changed.
	reads bool
	// secret: the file .env is neither read nor written.
	secret bool
}

var regimes = []regime{
	{name: "no rules", reads: true},
	{name: "Read of .env denied", deny: []string{"Read(./.env)", "Edit(./.env)"}, reads: true, secret: true},
	{name: "foo and npm run allowed", allow: []string{"Bash(foo:*)", "Bash(npm run:*)"}, reads: true},
	{name: "acceptEdits, .env denied", mode: permission.AcceptEdits, deny: []string{"Read(./.env)", "Edit(./.env)"}, secret: true},
	{
		name: "all but make, npm publish and .env", allow: []string{"Bash(*)"}, secret: true,
		deny:      []string{"Bash(make:*)", "Bash(npm publish:*)", "Read(./.env)", "Edit(./.env)"},
		forbidden: []string{"make", "npm publish"},
	},
}

// slow is how long the judgement of one script may take.
const slow = time.Second

type language = judged.Language

// judge decides scripts in process, by the code that decides them in an agent.
type judge struct {
	engine   *permission.Engine
	contexts map[language][]*permission.Context // one for each regime
}

func newJudge() (*judge, error) {
	tools, err := tool.NewSet(tool.Builtin()...)
	if err != nil {
		return nil, err
	}
	j := &judge{engine: permission.NewEngine(tools, links{workDir + "/link": workDir + "/.env"}), contexts: map[language][]*permission.Context{}}
	for _, l := range []language{judged.Bash, judged.Zsh} {
		if j.contexts[l], err = newContexts(l); err != nil {
			return nil, err
		}
	}
	return j, nil
}

// newContexts are those of the regimes, for agents with one shell.
func newContexts(l language) (contexts []*permission.Context, err error) {
	for _, r := range regimes {
		config := permission.Config{Mode: r.mode, Cwd: workDir, Home: homeDir, Shell: l}
		for behavior, texts := range map[rule.Behavior][]string{rule.Allow: r.allow, rule.Deny: r.deny} {
			for _, text := range texts {
				read, _, err := rule.Read(text, behavior, rule.Origin{Source: rule.ProjectSettings})
				if err != nil {
					return nil, err
				}
				config.Rules = append(config.Rules, read)
			}
		}
		context, err := permission.NewContext(config)
		if err != nil {
			return nil, err
		}
		contexts = append(contexts, context)
	}
	return contexts, nil
}

// verdict is what each regime says about a script.
type verdict []permission.Behavior

func (v verdict) allowed() bool {
	for _, b := range v {
		if b == permission.Allow {
			return true
		}
	}
	return false
}

// script judges a script for an agent with that shell; the error is a crash.
func (j *judge) script(text string, sh *shell) (v verdict, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	input, err := strictjson.Marshal(map[string]string{"command": text})
	if err != nil {
		return nil, nil // no agent can send it
	}
	decide := func() { v = j.decide(input, j.contexts[judged.LanguageOf(sh.name)]) }
	begin := time.Now()
	if decide(); v == nil || time.Since(begin) < slow {
		return v, nil
	}
	// The machine may have had something else to do.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	used := threadTime()
	if decide(); threadTime()-used > slow {
		return v, fmt.Errorf("the judgement took %v", threadTime()-used)
	}
	return v, nil
}

// threadTime is what this thread has used of a processor.
func threadTime() time.Duration {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// decide is nil for an input that is none.
func (j *judge) decide(input []byte, contexts []*permission.Context) (v verdict) {
	call, err := j.engine.Validate(contexts[0], permission.Request{Tool: "Bash", Input: input})
	if err != nil {
		return nil
	}
	for _, context := range contexts {
		v = append(v, j.engine.Decide(context, call).Behavior)
	}
	return v
}

// call is what the regimes say about a command that ran, as if it alone were the script.
func (j *judge) call(argv []string) (verdict, error) {
	quoted := make([]string, len(argv))
	for i, word := range argv {
		quoted[i] = quote(word)
	}
	return j.script(strings.Join(quoted, " "), &shells[0])
}

func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// links are those of the sandbox.
type links map[string]string

func (l links) Readlink(path string) (string, error) { return l[path], nil }

func (l links) List(dir string, _ int) (permission.Listing, error) {
	var found permission.Listing
	for link := range l {
		below, ok := strings.CutPrefix(link, strings.TrimSuffix(dir, "/")+"/")
		if !ok {
			continue
		}
		if name, _, deeper := strings.Cut(below, "/"); deeper {
			found.Dirs = append(found.Dirs, name)
		} else {
			found.Links = append(found.Links, name)
		}
	}
	return found, nil
}
