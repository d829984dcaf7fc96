package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
)

// Hooks are the hooks of all settings files that are in force, in the order of the
// files, with what is wrong about them.
func Hooks(s *settings.Settings) ([]hook.Entry, []hook.Report) {
	var entries []hook.Entry
	var reports []hook.Report
	var off []rule.Source
	for _, f := range s.Files {
		if f.DisableAllHooks {
			off = append(off, f.Source)
		}
		if len(f.Hooks.JSON) == 0 {
			continue
		}
		found, said := hook.Parse(f.Source, f.Path, f.Hooks.Line, f.Hooks.JSON)
		entries, reports = append(entries, found...), append(reports, said...)
		reports = append(reports, narrow(s, entries[len(entries)-len(found):])...)
	}
	entries, said := hook.Select(entries, off...)
	return entries, append(reports, said...)
}

// narrow takes from the HTTP hooks of a file what settings forbid them. One that cannot work
// without it is broken, so that what it would have judged does not pass.
func narrow(s *settings.Settings, entries []hook.Entry) (reports []hook.Report) {
	for i := range entries {
		e := &entries[i]
		h, isHTTP := e.Handler.(hook.HTTP)
		if !isHTTP || e.Defect != "" {
			continue
		}
		variables, refused := s.HTTPHook(e.Origin.Source, h.URL, h.AllowedEnvVars)
		if refused == "" && len(variables) == len(h.AllowedEnvVars) {
			continue
		}
		less, err := hook.NewHTTP(h.URL, h.Headers, variables...)
		switch {
		case refused != "":
			e.Defect = refused
		case err != nil:
			e.Defect = "httpHookAllowedEnvVars leaves out what it sends: " + err.Error()
		default:
			e.Handler = less
			continue
		}
		reports = append(reports, hook.Report{Origin: e.Origin, Text: fmt.Sprintf("the %s hook %s does not run: %s", e.Event, Visible(e.Handler.Name()), e.Defect), Hint: "name it there, or remove the hook"})
	}
	return reports
}

// hooks looks for hooks that do not do what their author thinks.
func (l *linter) hooks(s *settings.Settings) {
	entries, reports := Hooks(s)
	for _, r := range reports {
		l.found = append(l.found, Finding{Severity: Warning, Code: "hook", File: r.Origin.File, Line: r.Origin.Line, Text: r.Text, Fix: r.Hint})
	}
	for i := range entries {
		e := &entries[i]
		if e.Defect != "" {
			continue // reported above
		}
		l.hookMatcher(e)
		l.hookCondition(e)
		l.hookAsync(e)
		l.hookFailsOpen(e)
		l.hookProgram(e)
	}
}

func (l *linter) addHook(severity Severity, code string, e *hook.Entry, text, fix string) {
	l.found = append(l.found, Finding{
		Severity: severity, Code: code, File: e.Origin.File, Line: e.Origin.Line,
		Text: string(e.Event) + " hook, " + Visible(e.Handler.Name()) + ": " + text, Fix: fix,
	})
}

// hookMatcher finds names that no call has, or that the same tool does not have
// when a server offers it.
func (l *linter) hookMatcher(e *hook.Entry) {
	if !e.Event.AboutTool() {
		return
	}
	for _, name := range e.Matcher.Names() {
		server, rest, isMCP := cutMCP(name)
		switch {
		case slices.Contains(l.Tools, name):
		case isMCP && rest == "":
			l.addHook(Warning, "hook-matcher", e, fmt.Sprintf("the matcher %s is a whole name, and the tools of that server are called mcp__%s__…: it never runs", name, server),
				fmt.Sprintf("write mcp__%s__.*", server))
		case isMCP:
		case formerTools[name] != "":
			l.addHook(Info, "hook-matcher", e, fmt.Sprintf("the matcher names %s, a tool that agents no longer have", name), formerName(name, e.Matcher.Names()))
		case Nearest(name, l.Tools) != "":
			l.addHook(Warning, "hook-matcher", e, fmt.Sprintf("there is no tool %s, and names are compared exactly: it never runs", Visible(name)),
				fmt.Sprintf("did you mean %s?", Nearest(name, l.Tools)))
		default:
			l.addHook(Warning, "hook-mcp-name", e, fmt.Sprintf("the matcher %s misses mcp__SERVER__%s: the same tool, offered by a server, is not judged", Visible(name), Visible(name)),
				fmt.Sprintf("write .*%s, which finds the name with any prefix", Visible(name)))
		}
	}
}

// formerName says what to write instead of the name of a former tool.
func formerName(name string, names []string) string {
	if now := formerTools[name]; !slices.Contains(names, now) {
		return "write " + now
	}
	return fmt.Sprintf("remove it: %s, which took over, is there already", formerTools[name])
}

// cutMCP takes mcp__server__tool apart.
func cutMCP(name string) (server, tool string, ok bool) {
	rest, ok := strings.CutPrefix(name, "mcp__")
	if !ok {
		return "", "", false
	}
	server, tool, _ = strings.Cut(rest, "__")
	return server, tool, true
}

func (l *linter) hookAsync(e *hook.Entry) {
	if e.Async && e.Event == hook.PreToolUse {
		l.addHook(Warning, "hook-async", e, "it runs in the background, so it decides nothing: no call waits for it", `remove "async" if it is to judge calls, or move it to PostToolUse`)
	}
}

func (l *linter) hookFailsOpen(e *hook.Entry) {
	if e.Event == hook.PreToolUse && e.OnFailure == hook.FailOpen {
		l.addHook(Info, "hook-fails-open", e, `"onFailure": "allow" lets calls through whenever it does not work`, "remove it unless the hook only takes notes")
	}
}
