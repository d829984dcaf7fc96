package inbox

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/policy"
)

// ShownBy says how much of a call its sentence shows. Whoever approves several calls at once
// reads no more than that, so everything that would run must stand there, and the files that
// the call leads to, which are the places, must be those that the sentence names.
func ShownBy(call approval.Call, places []string) client.Shown {
	return shownBy(sentences.look(call), call, places)
}

func shownBy(said saying, call approval.Call, places []string) client.Shown {
	if said.shown == client.InFull && len(Unnamed(call, places)) > 0 {
		return client.Elsewhere
	}
	return said.shown
}

// WhyAlone says why a call is approved by itself of which the sentence does not show all; it is
// empty for one that is shown in full.
func WhyAlone(s client.Shown) string {
	switch s {
	case client.InFull:
		return ""
	case client.HasMask:
		return "a part of it is masked, because it looks like a secret"
	case client.Elsewhere:
		return "it leads to a file that its line does not name, or outside of its directory"
	case client.InPart:
	}
	return "its line does not show all of it"
}

// shownIn is how much of a call stands in its sentence, wherever it leads.
func shownIn(sentence string, c approval.Call) client.Shown {
	in, err := strictjson.Tree(c.Input)
	switch {
	case HidesPart(sentence):
		return client.HasMask
	case err != nil || in.Kind != '{' || !standsIn(c.Tool, in):
		return client.InPart
	}
	return client.InFull
}

// standsIn: the sentence of a call shows all of its input that decides over what happens. What
// a file is to hold never stands there, nor what another agent is to do.
func standsIn(tool string, in strictjson.Node) bool {
	switch {
	case tool == "Bash" && is(in, "command"):
		return onlyHas(in, "command", "description", "timeout") && fits(in, "command")
	case tool == "Read" && is(in, "file_path"):
		return onlyHas(in, "file_path", "offset", "limit", "pages") && fits(in, "file_path")
	case (tool == "Glob" || tool == "Grep") && is(in, "pattern"):
		return fits(in, "pattern") && fits(in, "path") // the rest only narrows what is found
	case tool == "WebSearch" && is(in, "query"):
		return onlyHas(in, "query", "allowed_domains", "blocked_domains") && fits(in, "query")
	case tool == "WebFetch" && is(in, "url"):
		return onlyHas(in, "url", "prompt") && addressFits(in.Member("url").Text())
	}
	switch tool {
	case "Bash", "Read", "Glob", "Grep", "WebSearch", "WebFetch", "Write", "Edit", "NotebookEdit", "Task", "Agent", "AskUserQuestion", "ExitPlanMode":
		return false
	}
	return !clippedBy(tool) && !slices.ContainsFunc(in.Members(), func(m strictjson.Member) bool { return !memberFits(m) }) && len(in.Members()) <= mostMembers
}

func is(in strictjson.Node, key string) bool { return in.Member(key).Kind == '"' }

// fits: a text of the input is quoted without a cut.
func fits(in strictjson.Node, key string) bool { return !clippedBy(in.Member(key).Text()) }

// onlyHas: the input has no other members than these.
func onlyHas(in strictjson.Node, keys ...string) bool {
	return !slices.ContainsFunc(in.Members(), func(m strictjson.Member) bool { return !slices.Contains(keys, m.Name.Text()) })
}

// addressFits: the sentence names the host and the path, and nothing else is sent. Whatever an
// agent wants to tell somebody fits into parameters.
func addressFits(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Hostname() != "" && u.User == nil && u.RawQuery == "" && !clippedBy(u.Host) && !clippedBy(u.EscapedPath())
}

// Unnamed are those of the files to which a call leads that its sentence does not name: a link
// leads elsewhere, or they lie outside of its directory, which stands beside the sentence.
func Unnamed(call approval.Call, places []string) []string {
	if len(places) == 0 {
		return nil
	}
	named := namedBy(call)
	return slices.DeleteFunc(slices.Clone(places), func(place string) bool {
		return place == named || place == behindDirectory(call.Cwd, named)
	})
}

// LeadsTo says where a call leads that is not simply the path as given, for those who answer
// without a page; it is empty when there is nothing to say.
func LeadsTo(call approval.Call, places []string) string {
	var said []string
	for _, place := range Unnamed(call, places) {
		text := policy.VisibleInOrder(place)
		if !inDirectory(call.Cwd, place) {
			text += ", outside of the project"
		}
		said = append(said, text)
	}
	return strings.Join(said, "; ")
}

// namedBy is the path that a call gives; empty when it gives none that lies in its directory.
func namedBy(call approval.Call) string {
	in, err := strictjson.Tree(call.Input)
	if err != nil || in.Kind != '{' {
		return ""
	}
	given := ""
	for _, key := range []string{"file_path", "notebook_path", "path"} {
		if given == "" {
			given = in.Member(key).Text()
		}
	}
	switch {
	case given == "" && call.Tool != "Glob" && call.Tool != "Grep":
		return ""
	case !filepath.IsAbs(given):
		given = filepath.Join(call.Cwd, given)
	}
	if given = filepath.Clean(given); !below(call.Cwd, given) {
		return ""
	}
	return given
}

// behindDirectory is a path in a directory whose own path may go through links, as that of a
// home often does: the person knows the directory by that name.
func behindDirectory(dir, path string) string {
	behind, err := filepath.EvalSymlinks(dir)
	if err != nil || path == "" {
		return ""
	}
	rest, err := filepath.Rel(dir, path)
	if err != nil {
		return ""
	}
	return filepath.Join(behind, rest)
}

// inDirectory: a file lies in a directory, by its name or behind its links.
func inDirectory(dir, place string) bool {
	return below(dir, place) || below(behindDirectory(dir, dir), place)
}

// below: a path is a directory, or lies below it.
func below(dir, path string) bool {
	rest, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rest)
}
