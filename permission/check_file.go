package permission

import "github.com/assent-dev/assent/rule"

// judgeFile is the check of the tools that read, search or write a file.
func (e *Engine) judgeFile(ctx *Context, call *Call) finding {
	f := finding{rules: Pass, check: Pass}
	sets := e.pathSets(ctx)
	for _, source := range rule.Sources {
		set := ctx.sets[source]
		if set == nil {
			continue
		}
		f.strictest(bareHits(set, call))
		if f.rules == Deny {
			f.ruleReason.Path = call.path.Given
			return f
		}
	}
	f.strictest(ctx.parameterHits(call))
	matchPath(sets, call, &f)
	if call.Kind == Search {
		matchTree(sets, call, &f)
	}
	if f.rules == Deny {
		return f
	}
	if why := ctx.blocks(call); why != "" {
		f.rules, f.ruleReason = Deny, Reason{Kind: ByLimit, Detail: why, Path: call.path.Given}
		return f
	}
	protected := ""
	if call.Kind == Edit {
		protected = ctx.Protects(call.path)
	}
	switch {
	case protected != "":
		f.safety = true
		f.check, f.checkReason = Ask, Reason{Kind: BySafety, Detail: protected, Path: call.path.Given}
	case call.path.Problem != "":
		f.unreadable = true
		f.check, f.checkReason = Ask, Reason{Kind: ByUnreadable, Detail: call.path.Problem, Path: call.path.Given}
	case call.Kind != Edit && ctx.inside(call.path):
		f.check, f.checkReason = Allow, Reason{Kind: ByReadOnly, Detail: "it only reads, inside the working directories"}
	case ctx.inside(call.path):
		f.checkReason = Reason{Kind: ByNoRule, Detail: "no rule allows this edit", Path: call.path.Given}
	default:
		f.checkReason = Reason{Kind: ByOutside, Detail: "outside the working directories", Path: call.path.Given}
	}
	return f
}

// bareHits are the rules that name a whole tool. Read rules also govern searches,
// a Read deny stops edits, Edit rules govern every tool that edits.
func bareHits(set *rule.Set, call *Call) rule.Hits {
	hits := set.Tool(call.Name)
	if call.Kind == Edit {
		if call.Name != "Edit" {
			hits = merge(hits, set.Tool("Edit"))
		}
		hits.Deny = first(hits.Deny, set.Tool("Read").Deny)
	} else if call.Name != "Read" {
		hits = merge(hits, set.Tool("Read"))
	}
	return hits
}

// matchPath looks for rules on the path: deny and ask if either name of the file
// matches, allow only if both do.
func matchPath(sets []*rule.Set, call *Call, f *finding) {
	var given, real rule.Hits
	for _, set := range sets {
		hits := governing(set.Path(call.path.Given), call)
		given = merge(given, hits)
		if call.path.Real == call.path.Given {
			real = merge(real, hits)
		} else if call.path.Real != "" {
			real = merge(real, governing(set.Path(call.path.Real), call))
		}
	}
	var hits rule.Hits
	hits.Deny = first(given.Deny, real.Deny)
	hits.Ask = first(given.Ask, real.Ask)
	if given.Allow != nil && real.Allow != nil {
		hits.Allow = given.Allow
	}
	before := f.rules
	f.strictest(hits)
	if f.rules != before {
		f.ruleReason.Path = call.path.Given
	}
}

// matchTree looks at what a search reads below its directory. A deny that covers
// all of it denies; one that covers a part of what Grep would read asks. Glob only
// lists names. Like the program underneath, Grep passes over hidden files unless its
// own pattern fits them.
func matchTree(sets []*rule.Set, call *Call, f *finding) {
	var picks []string
	if glob, _ := call.Input["glob"].(string); glob != "" {
		picks = globs(glob)
	}
	for _, set := range sets {
		for _, dir := range [...]string{call.path.Given, call.path.Real} {
			if dir == "" {
				continue
			}
			hits := set.BelowPicked(dir, picks)
			f.tree(call, hits.Read.Deny, hits.Read.DenyMatch, Deny)
			f.tree(call, hits.Read.Ask, hits.Read.AskMatch, Ask)
		}
	}
}

// globs are the patterns in the glob of a search, which may be a list of them.
func globs(text string) []string {
	var out []string
	start, depth := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			depth--
		case ' ', ',':
			if depth <= 0 {
				out = append(out, text[start:i])
				start = i + 1
			}
		}
	}
	return append(out, text[start:])
}

func (f *finding) tree(call *Call, r *rule.Rule, match rule.Match, b Behavior) {
	switch {
	case r == nil || f.rules == Deny:
	case match == rule.Yes:
		f.rules, f.ruleReason = b, Reason{Kind: ByRule, Rule: r, Path: call.path.Given}
	case call.Name == "Grep" && f.rules != Ask:
		f.rules, f.ruleReason = Ask, Reason{Kind: ByMaybeRule, Rule: r, Path: call.path.Given, Detail: "the search reads everything below"}
	}
}

// governing picks the rules that govern a call: a Read deny also stops edits.
func governing(hits rule.PathHits, call *Call) rule.Hits {
	if call.Kind != Edit {
		return hits.Read
	}
	out := hits.Edit
	if call.Name == "Write" {
		out = merge(out, hits.Write)
	}
	out.Deny = first(out.Deny, hits.Read.Deny)
	return out
}

func merge(a, b rule.Hits) rule.Hits {
	return rule.Hits{Deny: first(a.Deny, b.Deny), Ask: first(a.Ask, b.Ask), Allow: first(a.Allow, b.Allow)}
}

func first(a, b *rule.Rule) *rule.Rule {
	if a != nil {
		return a
	}
	return b
}
