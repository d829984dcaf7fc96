package permission

import (
	"strings"
	"sync"

	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/shell"
)

// shellCheck judges one shell call: deny and ask rules on every part, path rules on
// every file it names, the danger floor, and whether every part is allowed.
type shellCheck struct {
	engine *Engine
	ctx    *Context
	script *shell.Script
	cwd    string
	links  Links
	bounds []*shell.Script // what the script says about its own words, once somebody asked
	asked  bool            // that was
	// stays was found inside last, in a reading of the script.
	stays   shell.Access
	staysIn *shell.Script
	made    []madeLink // by the script itself
	looks   int        // how much of the file system was looked at
	// possibleWork is how much was read to find what unknown programs may run.
	possibleWork int
	// letters are the characters that rules which restrict begin with, once they were asked for.
	letters      shell.Letters
	lettersKnown bool
	// picks are the patterns of the command before picker, which are asked for at each of its files.
	picks  []string
	picker int
	hiding bool      // accesses may list files that are Hidden only at first sight
	bare   rule.Hits // rules that are about the call as a whole, nearest source first
	f      finding

	texts    []string // the text of each command, once it was needed
	accesses []fileAccess
	room     []Path // for the names of most accesses
	remembered
	// gits are the commands that run git, once they were asked for.
	gits      []int
	gitsFound bool
	// sure are many accesses of a reading of the script, by the places of their words.
	sure map[*shell.Script]map[shell.Span][]shell.Access
	// byCommand is which of many accesses are those of a command.
	byCommand map[int][]int

	// Room for a command of ordinary size, so that judging it needs no heap.
	doubts [6]struct {
		asked bool
		text  string
	}
	fewTexts    [6]string
	fewAccesses [6]fileAccess
	fewPaths    [6]Path
}

// judgeShell judges a shell call. Nobody looks at the script of most calls again, so it
// is borrowed unless somebody has asked for it before.
func (e *Engine) judgeShell(ctx *Context, call *Call) finding {
	if call.script != nil && ctx.config.Shell == shell.Bash {
		return e.judgeScript(ctx, call, call.script)
	}
	loan := shell.Borrow(ctx.config.Shell, call.command)
	found := e.judgeScript(ctx, call, loan.Script)
	loan.Return()
	return found
}

func (e *Engine) judgeScript(ctx *Context, call *Call, script *shell.Script) finding {
	s := checks.Get().(*shellCheck)
	s.engine, s.ctx, s.script, s.cwd = e, ctx, script, call.cwd
	s.f = finding{rules: Pass, check: Pass}
	s.judge(call)
	found := s.f
	*s = shellCheck{} // nothing of a call outlives it
	checks.Put(s)
	return found
}

var checks = sync.Pool{New: func() any { return new(shellCheck) }}

func (s *shellCheck) judge(call *Call) {
	s.wholeRules(call)
	if s.f.rules == Deny {
		return
	}
	s.partRules()
	if s.f.rules == Deny {
		return
	}
	s.follows()
	s.accesses = s.resolveAccesses()
	s.pathRules()
	s.blockedReads()
	if s.f.rules == Deny {
		return
	}
	s.safety()
	if s.ctx.effective() == Plan { // the only mode that asks
		s.f.readOnly = s.script.ReadOnly().Text == "" && !s.startsForeign()
	}
	if !s.f.safety {
		s.coverage()
	}
}

// wholeRules tries the rules that are about the call as a whole: those on the tool, and on
// parameters.
func (s *shellCheck) wholeRules(call *Call) {
	s.bare = merge(s.ctx.bareHits(call.Name), s.ctx.parameterHits(call))
	s.f.strictest(rule.Hits{Deny: s.bare.Deny, Ask: s.bare.Ask})
}

// partRules tries the deny and ask rules on every part, guesses included. There is
// no limit to the number of parts.
func (s *shellCheck) partRules() {
	s.texts = s.fewTexts[:min(len(s.script.Commands), len(s.fewTexts))]
	if len(s.script.Commands) > len(s.texts) {
		s.texts = make([]string, len(s.script.Commands))
	}
	for i := range s.script.Commands {
		c := &s.script.Commands[i]
		if s.ctx.restriction == nil || len(c.Words) == 0 {
			continue
		}
		program := c.Words[0].Text
		s.restrict(rule.Deny, i, program)
		if s.f.rules == Deny {
			return
		}
		s.restrict(rule.Ask, i, program)
		if c.Opaque == shell.OpaqueShell && !c.Evaluated && c.Link != shell.Guess {
			s.matched(Ask, Reason{Kind: ByMaybeRule, Rule: s.ctx.restriction, Part: s.part(i), Detail: "what it runs is only known when it runs"})
		}
		// /bin/rm is rm: a directory before the name hides nothing from deny and ask.
		if base := baseName(program, program); base != program {
			s.restrict(rule.Deny, i, base)
			if s.f.rules == Deny {
				return
			}
			s.restrict(rule.Ask, i, base)
		}
		s.possibleRules(i)
	}
}

// text is the text of command i as rules see it.
func (s *shellCheck) text(i int) string {
	if s.texts[i] == "" {
		s.texts[i] = s.script.Commands[i].Text()
	}
	return s.texts[i]
}

// baseName is a command without the directory and the Windows suffix of its program.
func baseName(text, program string) string {
	slash := strings.LastIndexByte(program, '/') + 1
	base := program[slash:]
	if dot := len(base) - len(".exe"); dot > 0 && (base[dot:] == ".exe" || base[dot:] == ".cmd" || base[dot:] == ".bat") {
		return base[:dot] + text[len(program):]
	}
	return text[slash:]
}

// restrict applies the deny or ask rules to one part, whose program may be named
// without its directory. What only may match asks.
func (s *shellCheck) restrict(behavior rule.Behavior, i int, program string) {
	for _, set := range s.ctx.commands[behavior] {
		if !set.MayStart(behavior, program) {
			continue
		}
		text := s.text(i)
		if written := s.script.Commands[i].Words[0].Text; program != written {
			text = baseName(text, written)
		}
		r, match := s.bashRule(set, behavior, text)
		detail := "part of the command is only known when it runs"
		if s.textSpent() {
			detail = tooMuch
		}
		switch match {
		case rule.Yes:
			s.matched(fromRule(behavior), Reason{Kind: ByRule, Rule: r, Part: s.part(i)})
			return
		case rule.Maybe:
			s.matched(Ask, Reason{Kind: ByMaybeRule, Rule: r, Part: s.part(i), Detail: detail})
		case rule.No:
		}
	}
}

func (s *shellCheck) matched(b Behavior, reason Reason) {
	if b == Deny && s.f.rules != Deny || b == Ask && s.f.rules != Deny && s.f.rules != Ask {
		s.f.rules, s.f.ruleReason = b, reason
	}
}

func (s *shellCheck) part(i int) *Part {
	c := &s.script.Commands[i]
	return &Part{Text: s.text(i), Span: c.Span, Via: c.Via}
}

// coverage decides whether every part is allowed: by a rule, or because it only
// reads inside the working directories.
func (s *shellCheck) coverage() {
	if s.script.Problem != nil {
		s.f.unreadable = true
		s.f.check, s.f.checkReason = Ask, Reason{Kind: ByUnreadable, Detail: "the command cannot be understood: " + s.script.Problem.In(s.script.Source)}
		return
	}
	if reason, names := s.codeNamesRestricted(); names {
		s.f.check, s.f.checkReason = Pass, reason
		return
	}
	if s.bareAllows() {
		return
	}
	var named Reason // the first rule that allowed a part
	for i := range s.script.Commands {
		if s.script.Commands[i].Link != shell.Direct {
			continue
		}
		at, ok, reason := s.covered(i)
		if !ok {
			s.f.check, s.f.checkReason = Pass, reason
			return
		}
		if named.Kind == 0 && reason.Kind == ByRule {
			named = reason
			named.Part = s.part(at)
		}
	}
	if named.Kind == ByRule {
		if s.f.rules == Pass {
			s.f.rules, s.f.ruleReason = Allow, named
		}
		s.f.checkReason = Reason{Kind: ByNoRule, Detail: "every part is allowed by a rule or only reads"}
		return
	}
	if path, at := s.guessedOutside(); at >= 0 {
		s.f.checkReason = Reason{Kind: ByOutside, Detail: outside.String(), Part: s.part(at), Path: path}
		return
	}
	s.f.check, s.f.checkReason = Allow, Reason{Kind: ByReadOnly, Detail: "it only reads, inside the working directories as far as that is known"}
}

// guessedOutside finds a file outside that the command reads when its variables are
// put in: X=/etc/shadow; cat $X.
func (s *shellCheck) guessedOutside() (path string, at int) {
	s.dropSeen()
	for k := range s.accesses {
		c := &s.script.Commands[s.accesses[k].Command]
		if c.Link != shell.Guess {
			continue
		}
		if path, where := s.accessOutside(s.access(k)); where != inside {
			return path, s.accesses[k].Command
		}
	}
	for i := range s.script.Commands {
		for _, r := range s.script.Commands[i].Redirects {
			if r.Kind == shell.RedirectNetwork {
				return r.Target.Text, i
			}
		}
	}
	return "", -1
}

// bareAllows: a rule `Bash` allows everything, except what cannot be known as long
// as a deny or ask rule on Bash exists, and writes that leave the working
// directories by redirection.
func (s *shellCheck) bareAllows() bool {
	if s.bare.Allow == nil {
		return false
	}
	for i := range s.script.Commands {
		c := &s.script.Commands[i]
		unknown := c.Link != shell.Guess && (c.Opaque != shell.Clear || c.Taint != "")
		if s.ctx.restriction != nil && unknown && s.script.PartReadOnly(i).Text != "" {
			return false
		}
		if ok, _ := s.redirectsAllowed(i, true); !ok {
			return false
		}
	}
	if s.f.rules == Pass {
		s.f.rules, s.f.ruleReason = Allow, Reason{Kind: ByRule, Rule: s.bare.Allow}
	}
	s.f.checkReason = Reason{Kind: ByNoRule, Detail: "a rule allows every command"}
	return true
}

// covered says whether one part is allowed, and why or why not. at is the part that
// was judged in the end: the inner one of a transparent wrapper.
func (s *shellCheck) covered(i int) (at int, ok bool, why Reason) {
	c := &s.script.Commands[i]
	if c.Taint != "" {
		return i, false, s.uncovered(i, c.Taint)
	}
	if len(c.Redirects) > 0 {
		if ok, reason := s.redirectsAllowed(i, false); !ok {
			return i, false, reason
		}
	}
	if len(c.Words) == 0 {
		if a, path, where := s.firstOutside(i); where != inside {
			return i, false, s.outsideReason(i, a, path, where)
		}
		return i, true, Reason{Kind: ByReadOnly}
	}
	if r := s.allowRule(i); r != nil {
		return i, true, Reason{Kind: ByRule, Rule: r}
	}
	if inner := s.script.Inner(i); inner >= 0 {
		return s.covered(inner)
	}
	if doubt := s.partDoubt(i); doubt != "" {
		return i, false, s.uncovered(i, orElse(c.Unlisted, doubt))
	}
	if why := s.foreignRepository(i); why != "" {
		s.f.unseen = true
		return i, false, s.uncovered(i, why)
	}
	if a, path, where := s.firstOutside(i); where != inside {
		return i, false, s.outsideReason(i, a, path, where)
	}
	return i, true, Reason{Kind: ByReadOnly}
}

func (s *shellCheck) uncovered(i int, why string) Reason {
	return Reason{Kind: ByNoRule, Detail: "no rule allows it and it is not known to only read (" + why + ")", Part: s.part(i)}
}

// partDoubt is why a part is not read-only, its redirections aside: those have been
// judged by then.
func (s *shellCheck) partDoubt(i int) string {
	if i >= len(s.doubts) {
		return s.script.WordsReadOnly(i).Text
	}
	d := &s.doubts[i]
	if !d.asked {
		d.asked, d.text = true, s.script.WordsReadOnly(i).Text
	}
	return d.text
}

// allowRule finds an allow rule of words for one part.
func (s *shellCheck) allowRule(i int) *rule.Rule {
	c := &s.script.Commands[i]
	sets := s.ctx.commands[rule.Allow]
	if len(sets) == 0 || c.Opaque == shell.OpaqueShell || c.Unlisted != "" || hasBlank(c.Words[0].Text) {
		return nil
	}
	for _, set := range sets {
		if !set.MayStart(rule.Allow, c.Words[0].Text) {
			continue
		}
		if r, match := s.bashRule(set, rule.Allow, s.text(i)); match == rule.Yes && !hidesAction(c, r) {
			return r
		}
	}
	return nil
}

func hasBlank(text string) bool {
	for i := range len(text) {
		if c := text[i]; c == ' ' || c == '\t' || c == '\n' {
			return true
		}
	}
	return false
}

// hidesAction: a rule for find does not cover an action it does not name.
func hidesAction(c *shell.Command, r *rule.Rule) bool {
	if c.Program() != "find" {
		return false
	}
	for _, word := range c.Args() {
		if !word.Known() && !strings.HasPrefix(word.Text, "./") && word.Text[0] != '/' {
			return true
		}
		switch word.Text {
		case "-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprint0", "-fprintf", "-fls":
			if !strings.Contains(r.Content, word.Text) {
				return true
			}
		}
	}
	return false
}
