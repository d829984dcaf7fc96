package settings

import (
	"time"

	"github.com/assent-dev/assent/shell"
)

// guardTerms reads assent.guard: how the guard of another agent treats what needs a person.
func (r *reader) guardTerms(m member) guardSetting {
	const hint = `write {"wait": "50s", "inbox": "always", "audit": true, "shell": "zsh"}, or some of it`
	var g guardSetting
	if m.value.Kind != '{' {
		r.fail(m.value, "guard says nothing about the guard", hint)
		return g
	}
	for _, m := range r.object(m.value, "guard", []string{"wait", "inbox", "audit", "shell"}) {
		switch m.name {
		case "wait":
			text := r.string(m).text
			wait, err := time.ParseDuration(text)
			if err != nil || wait < 0 {
				r.fail(m.value, visible(text)+" is no time to wait", "write it like 50s, or 0s to deny at once")
			}
			g.wait, g.waitSet = wait, true
		case "inbox":
			switch text := r.string(m).text; text {
			case "always":
				g.inbox = AlwaysInbox
			case "needed":
				g.inbox = InboxIfNeeded
			default:
				r.fail(m.value, visible(text)+" says nothing about the inbox", "write needed or always")
			}
		case "audit":
			g.audit = r.toggle(m).set()
		case "shell":
			if g.shell = r.string(m).text; g.shell != "bash" && g.shell != "zsh" {
				r.fail(m.value, visible(g.shell)+" is no shell that assent can read", "write bash or zsh")
			}
		default:
			r.fail(m.value, "guard has "+visible(m.name)+", which nobody knows", hint)
		}
	}
	return g
}

// guardSetting is what one file says.
type guardSetting struct {
	wait    time.Duration
	waitSet bool
	inbox   InboxUse // zero when it says nothing
	audit   bool
	shell   string // "" when it says nothing
}

// InboxUse says whose questions go to the inbox.
type InboxUse uint8

// The uses of the inbox. The zero value is that of settings that do not say.
const (
	// InboxIfNeeded: those of agents that cannot ask their own person.
	InboxIfNeeded InboxUse = iota + 1
	// AlwaysInbox: those of all agents.
	AlwaysInbox
)

// Guard is how the guard of another agent treats what needs a person.
type Guard struct {
	// Wait is how long a call is held; zero means that it is not. It counts if WaitSet.
	Wait    time.Duration
	WaitSet bool
	Inbox   InboxUse
	// Audit: every decision is recorded before it is told.
	Audit bool
}

// Guard is what the files say that may say it. Of each key the nearest file counts, the
// administrator's first; what one of them wants to have recorded is recorded. A workspace
// that nobody has trusted says nothing: it could send questions to where nobody looks.
func (s *Settings) Guard() Guard {
	var g Guard
	for i := range s.Files {
		f := &s.Files[i]
		if !f.Trusted {
			continue
		}
		for _, t := range s.texts {
			if t.source != f.Source || t.path != f.Path || t.said == nil {
				continue
			}
			said := &t.said.guard
			if said.waitSet && !g.WaitSet {
				g.Wait, g.WaitSet = said.wait, true
			}
			if g.Inbox == 0 {
				g.Inbox = said.inbox
			}
			g.Audit = g.Audit || said.audit
		}
	}
	return g
}

// agentShell is the shell in which other agents run their commands: the one that the
// nearest file names, else the user's. zsh is the stricter one, so any file may name it;
// bash is only believed of one that is trusted.
func (a *assembly) agentShell() shell.Language {
	language, said := shell.LanguageOf(a.LoginShell), false
	for _, t := range a.s.texts {
		switch {
		case t.said == nil || !t.selected:
		case t.said.guard.shell == "zsh":
			return shell.Zsh
		case t.said.guard.shell == "bash" && !said && (a.trusted || !fromWorkspace(t.source)):
			language, said = shell.Bash, true
		}
	}
	return language
}
