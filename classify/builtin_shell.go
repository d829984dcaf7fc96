package classify

import (
	"slices"
	"strings"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/shell"
)

// mostReasons is how many reasons a refusal gives.
const mostReasons = 5

// What is longer than this is not judged: whether one command feeds another is looked at
// for all of them.
const (
	mostCommands = 300
	mostAccesses = 2000
)

// shell judges a shell command. Nothing is approved for want of a reason against it:
// every part must be known to do no harm.
func (b Builtin) shell(q *Question) Verdict {
	script := q.Call.Script()
	if script.Problem != nil {
		return Verdict{NoOpinion, High, []string{"the command cannot be understood: " + script.Problem.In(script.Source)}}
	}
	if found := script.Danger(); len(found) > 0 {
		return dangers(found)
	}
	if free, _ := q.Call.Input["dangerouslyDisableSandbox"].(bool); free {
		return refuse(High, "it asks to run outside the sandbox")
	}
	links := b.Links
	if links == nil {
		links = permission.NoLinks{}
	}
	j := scriptJudge{risk: Medium, script: script, place: place{ctx: q.Context, cwd: q.cwd(), links: links}, accesses: script.Accesses()}
	if len(script.Commands) > mostCommands || len(j.accesses) > mostAccesses {
		return refuse(Medium, "it is too long to be judged here")
	}
	harmless := "it only reads"
	if script.ReadOnly().Text == "" {
		j.reads()
	} else {
		j.judge()
		harmless = "every part only reads or makes an ordinary change inside the working directories"
	}
	if len(j.against) > 0 {
		return refuse(j.risk, j.against[:min(len(j.against), mostReasons)]...)
	}
	return approve(Low, harmless)
}

// dangers is the refusal of what the danger analysis has found.
func dangers(found []shell.Finding) Verdict {
	v := refuse(High)
	for _, f := range found {
		if text := visible(f.Text); !slices.Contains(v.Reasons, text) && len(v.Reasons) < mostReasons {
			v.Reasons = append(v.Reasons, text)
		}
	}
	return v
}

// scriptJudge collects what speaks against a script that changes something.
type scriptJudge struct {
	script *shell.Script
	place  place
	// accesses are the files of the script, guesses included.
	accesses []shell.Access
	against  []string
	risk     Risk            // of what speaks against it
	bounds   []*shell.Script // readings of the script, once they were needed
	quiet    map[int]bool    // which commands print nothing, as far as that was asked
	trees    map[string]bool // which trees have links that lead out, as far as that was asked
}

func (j *scriptJudge) judge() {
	for i := range j.script.Commands {
		if j.script.Commands[i].Link != shell.Guess { // those only make files known
			j.part(i)
		}
	}
	for _, a := range j.accesses {
		j.access(a)
	}
	j.repositories()
	j.endlessLoops()
	j.newLinks()
}

// object notes what speaks against a part.
func (j *scriptJudge) object(i int, why string) {
	text := why
	if words := j.script.Commands[i].Text(); words != "" {
		text = visible(legible(words)) + ": " + why
	}
	if !slices.Contains(j.against, text) {
		j.against = append(j.against, text)
	}
}

// legible is a text with its marks made readable.
func legible(text string) string {
	text = strings.ReplaceAll(text, string([]byte{shell.Unknown}), "…")
	return strings.ReplaceAll(text, string([]byte{shell.Glob}), "*")
}

// part judges one command of the script. The files it names are judged by access.
func (j *scriptJudge) part(i int) {
	c := &j.script.Commands[i]
	for _, r := range c.Redirects {
		if r.Kind == shell.RedirectNetwork {
			j.object(i, "the redirection opens a network connection")
		}
	}
	j.overwrites(i)
	if why := outputOf(c); why != "" {
		j.object(i, why)
	}
	doubt := j.script.WordsReadOnly(i).Text
	switch {
	case c.Taint != "":
		j.object(i, c.Taint)
	case len(c.Words) == 0 || doubt == "":
	case c.Unlisted != "":
		j.object(i, c.Unlisted)
	case c.Evaluated || c.Opaque != shell.Clear:
		j.object(i, "it runs code that is not known before it runs")
	case j.script.Inner(i) >= 0: // the command inside is judged by itself
	default:
		if why := j.change(i, doubt); why != "" {
			j.object(i, why)
		}
	}
}

// change says what speaks against a command that changes something, "" if it is one
// that is known to do no harm. doubt is why it does not only read.
func (j *scriptJudge) change(i int, doubt string) string {
	c := &j.script.Commands[i]
	if !ofSystem(c.Words[0].Text) {
		return "it is not a program of the system, and what it does is not known"
	}
	if c.AsksForHelp() {
		return ""
	}
	switch name := c.Program(); name {
	case "git":
		return j.gitChange(c)
	case "sh", "bash", "dash":
		return j.shellString(i)
	case "find":
		return j.findExec(i)
	default:
		if w := writerOf(name); w != nil {
			return w.object(c)
		}
		return unfamiliar(name, doubt)
	}
}

// ofSystem: the program is looked up on the path, or is one of the system's.
func ofSystem(program string) bool {
	name := program
	for _, dir := range []string{"/bin/", "/usr/bin/"} {
		if rest, ok := strings.CutPrefix(program, dir); ok {
			name = rest
		}
	}
	return name != "" && !strings.Contains(name, "/")
}

// access judges a file that the script names: what it changes lies inside the working
// directories, and so does what it reads, because a script that writes could take
// secrets where others find them.
func (j *scriptJudge) access(a shell.Access) {
	for _, path := range j.script.Paths(a) {
		where, p := j.place.stands(path)
		shown := visible(legible(p.Given))
		switch {
		case a.Mode == shell.Reads && a.Pathspec != shell.NoPathspec && a.Pathspec != shell.LiteralPathspec: // what git shows of its own repository
		case a.Mode == shell.Reads:
			if where == outside {
				j.object(a.Command, "it reads "+shown+", outside the working directories, and writes")
			} else if where == unknown && j.showsContent(a) && !j.settledInside(a) {
				j.object(a.Command, "what it reads is only known when it runs, and it writes")
			}
		case where == protected:
			j.object(a.Command, shown+" is protected")
		case a.Pathspec > shell.MaybePathspec:
			j.object(a.Command, "which files a pattern of git finds is not known, and they may be protected")
		case where == outside:
			j.object(a.Command, shown+" is outside the working directories")
		case where == unknown:
			j.object(a.Command, "which file it changes is only known when it runs")
		case j.writesHook(a, where, p):
			j.risk = High
			j.object(a.Command, shown+" "+hookFile)
		case j.loses(a) && irreplaceable(p):
			j.object(a.Command, shown+" is seldom kept in git, and what is lost there cannot be taken back")
		case a.Mode == shell.Deletes && j.place.holdsWork(p):
			j.object(a.Command, shown+" holds a working directory")
		case a.Mode == shell.Deletes && (where == patterned || a.Reach == shell.WholeTree):
			j.deletesTree(a, where, p)
		case a.Reach == shell.MaybeInside && j.script.Moves(a.Command) && j.place.rebuilt(p):
			j.object(a.Command, "what is moved to "+shown+" is lost with the next clean build")
		case a.Reach == shell.MaybeInside:
			j.putInside(a, path)
		}
	}
}

// writesHook: what git runs may be another thing afterwards. A pattern finds only what is
// there already: to delete that, or to touch it, changes nothing about what runs, and
// when it is named, it is the person's own check that goes.
func (j *scriptJudge) writesHook(a shell.Access, where standing, p permission.Path) bool {
	if where == patterned && (a.Mode == shell.Deletes || j.script.Commands[a.Command].Program() == "touch") {
		return false
	}
	return isHookFile(p.Given) || isHookFile(p.Real)
}

// putInside judges what a copy writes when its target turns out to be a directory.
func (j *scriptJudge) putInside(a shell.Access, target string) {
	for _, from := range j.accesses {
		if from.Command != a.Command || from.Span == a.Span {
			continue
		}
		name := strings.TrimRight(from.Path, "/")
		name = name[strings.LastIndexByte(name, '/')+1:]
		where, p := j.place.stands(strings.TrimRight(target, "/") + "/" + name)
		switch {
		case where != insideDirs:
			j.object(a.Command, visible(legible(p.Given))+" may be what it writes, and that is not known to be inside the working directories")
		case isHookFile(p.Given) || isHookFile(p.Real):
			j.risk = High
			j.object(a.Command, visible(legible(p.Given))+" may be what it writes, and "+hookFile)
		}
	}
}

// newLinks judges the links that the script makes itself: nothing else may be written
// by a script after which a name leads elsewhere.
func (j *scriptJudge) newLinks() {
	for _, made := range j.script.MadeLinks() {
		others := slices.ContainsFunc(j.accesses, func(a shell.Access) bool { return a.Command != made.Command && a.Mode != shell.Reads })
		switch {
		case made.Kind != shell.CopiedLink:
			j.object(made.Command, "it makes another name for a file, and what it leads to may be written")
			return
		case others && !j.justWritten(made):
			j.object(made.Command, "what it moves may be a link, after which a name that the script writes leads elsewhere")
			return
		}
	}
}

// justWritten: what is moved is a file that an earlier part has written by a redirection.
// That is no directory, and if it was no link before it is none now.
func (j *scriptJudge) justWritten(made shell.MadeLink) bool {
	if len(j.script.Commands[made.Command].Dirs) > 0 {
		return false
	}
	written := slices.ContainsFunc(j.accesses, func(a shell.Access) bool {
		return a.Command < made.Command && a.Redirect && a.Mode == shell.Writes && a.Path == made.Target && len(j.script.Commands[a.Command].Dirs) == 0
	})
	where, p := j.place.stands(made.Target)
	return written && where == insideDirs && p.Given == p.Real
}
