package guard

import (
	"strings"

	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
)

// outcome is the decision in words.
func (v verdict) outcome() dialect.Outcome {
	o := dialect.Outcome{Behavior: permission.Deny, Reason: "nothing decided this call"}
	switch v.strictness() {
	case 1:
		o.Behavior, o.Reason = permission.Allow, v.Message()
	case 2:
		o.Behavior, o.Reason, o.Hint = permission.Ask, v.Message()+v.judge.heldBackNote(), v.hint("")
	case 3:
		o.Reason = v.Message()
	}
	return o
}

// heldBackNote tells why an allow rule that somebody sees in the workspace does not
// count.
func (j *judge) heldBackNote() string {
	if len(j.settings.HeldBack.Rules) == 0 || j.settings.TrustState().Status == settings.Trusted {
		return ""
	}
	return " (the allow rules of this workspace are held back until somebody runs `assent trust`)"
}

// hint is what a person can do where the agent cannot ask, with another way that there is.
func (v verdict) hint(way string) string {
	var b strings.Builder
	b.WriteString("a person can look at it with `" + explain(v.call) + "`")
	if rules := v.suggest(); len(rules) > 0 {
		b.WriteString(", allow it for good with the rule " + strings.Join(rules, " and "))
	}
	b.WriteString(way + ", or run it themselves. Do not try another way around it")
	return b.String()
}

// maxExplained is how long an input may be that somebody would paste.
const maxExplained = 200

// explain is the command that shows why.
func explain(call dialect.Call) string {
	input, err := strictjson.Marshal(strictjson.Raw(call.Input)) // on one line
	if err != nil || len(input) > maxExplained {
		return "assent explain"
	}
	return "assent explain " + dialect.Quote(call.Tool) + " " + dialect.Quote(string(input))
}

// suggest are the rules that would allow the call, as "always allow" would write
// them. For an edit that would be another mode, or one more working directory, for the
// rest of the session; here no session goes on, so there is a rule that does the same.
func (v verdict) suggest() []string {
	if v.valid == nil || v.call.AnyServer {
		return nil
	}
	var rules, dirs []string
	edits := false
	for _, update := range v.engine.Suggest(v.judge.context, v.valid, v.Decision) {
		switch update.Type {
		case permission.AddRules:
			rules = append(rules, update.Rules...)
		case permission.SetMode:
			edits = true
		case permission.AddDirectories:
			dirs = append(dirs, update.Directories...)
		case permission.ReplaceRules, permission.RemoveRules, permission.RemoveDirectories:
		}
	}
	if edits {
		return v.editRules(dirs)
	}
	return rules
}

// editRules let the files of the project be edited, or those of other directories.
// They are tried out before they are offered.
func (v verdict) editRules(dirs []string) []string {
	rules := []string{"Edit(./**)"}
	if len(dirs) > 0 {
		rules = nil
	}
	for _, dir := range dirs {
		rules = append(rules, "Edit("+rule.EscapePath(dir)+"/**)")
	}
	next, err := v.judge.context.Apply(permission.Update{
		Type: permission.AddRules, Behavior: rule.Allow, Destination: rule.LocalSettings, Rules: rules,
	})
	if err != nil || v.engine.Decide(next, v.valid).Behavior != permission.Allow {
		return nil
	}
	return rules
}
