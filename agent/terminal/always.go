package terminal

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// always shows what "always" would change, and asks once more. made is false when the
// person went back.
func (a *Asker) always(ctx context.Context, q agent.Question) (answer permission.Answer, made bool, err error) {
	if len(q.Suggestions) == 0 {
		a.write("No exact rule can be offered for this. Nothing was decided.\n")
		return answer, false, nil
	}
	a.show(func() string { return a.alwaysPage(q) })
	ways := "y do that"
	if len(q.Suggestions) > 1 {
		ways = "y do all of that | a number does only that one"
	}
	reply, err := a.reply(ctx, ways+" | anything else goes back", "always> ")
	if err != nil {
		return answer, false, err
	}
	chosen := chosenUpdates(reply, q.Suggestions)
	if chosen == nil {
		a.write("Nothing was changed or decided.\n")
		return answer, false, nil
	}
	a.write("-> allowed, from now on\n\n")
	return permission.Answer{Behavior: permission.Allow, Updates: chosen, Answered: true}, true, nil
}

// alwaysPage is what would change, and for how long.
func (a *Asker) alwaysPage(q agent.Question) string {
	p := a.newPage(true)
	p.say(ordinary, "From now on, without a question:")
	for i, u := range q.Suggestions {
		number := fmt.Sprintf("%d. ", i+1) // of the update, however many rules it has
		for _, text := range described(u) {
			p.plain(quoted(exact, number, text, p.width))
			number = strings.Repeat(" ", len(number))
		}
		p.hang(ordinary, "    ", a.where(u.Destination))
		if why := q.HeldBack[u.Destination]; why != "" && !u.Restricts() && u.Type != permission.SetMode {
			p.hang(warning, "    ", "held back there ("+why+"): for this session it holds")
		}
	}
	return p.text.String()
}

func chosenUpdates(reply string, all []permission.Update) []permission.Update {
	switch strings.ToLower(reply) {
	case "y", "yes":
		return all
	}
	if n, err := strconv.Atoi(reply); err == nil && len(all) > 1 && n >= 1 && n <= len(all) {
		return all[n-1 : n]
	}
	return nil
}

// described is what an update changes, exactly.
func described(u permission.Update) []string {
	var list []string
	switch u.Type {
	case permission.AddRules, permission.ReplaceRules, permission.RemoveRules:
		verb := map[permission.UpdateType]string{
			permission.AddRules: "rule", permission.ReplaceRules: "instead of all others the rule", permission.RemoveRules: "no more rule",
		}[u.Type]
		for _, r := range u.Rules {
			list = append(list, fmt.Sprintf("%s: %s %s", verb, u.Behavior, r))
		}
	case permission.SetMode:
		list = append(list, "mode: "+u.Mode.String()+modeMeans(u.Mode))
	case permission.AddDirectories:
		for _, d := range u.Directories {
			list = append(list, "working directory: "+d)
		}
	case permission.RemoveDirectories:
		for _, d := range u.Directories {
			list = append(list, "no more working directory: "+d)
		}
	}
	return list
}

// modeMeans says how much more than this call a mode lets through.
func modeMeans(m permission.Mode) string {
	if m == permission.AcceptEdits {
		return " (every edit in the working directories runs)"
	}
	return ""
}

// where is how long an update lasts, and the file it is written to.
func (a *Asker) where(s rule.Source) string {
	o := a.settings
	o.Dir = *a.dir.Load()
	if file := o.File(s); file != "" {
		return "written to " + a.short(file)
	}
	return "for this session"
}

// short is a path as people write it: a tilde for the home directory.
func (a *Asker) short(path string) string {
	if rest, below := strings.CutPrefix(path, a.settings.Home+"/"); below && a.settings.Home != "" {
		return "~/" + rest
	}
	return path
}
