package assent

import "strings"

// begins are the flags with which texts of the engine begin, where they are about the value
// of one, and what a Go program writes for them.
var begins = [][2]string{
	{"--agents:", "assent.Agents:"},
	{"--classifier ", "assent.Classifier "},
	{"--mcp-config:", "assent.MCPConfig:"},
	{"--settings:", "assent.Settings:"},
}

// phrases are what the engine says about flags elsewhere, in its own words. A flag alone is
// not enough: rules, paths and messages of hooks hold words like that, and they must stay
// what they are.
var phrases = strings.NewReplacer(
	"(leave --no-session-persistence out)", "(leave assent.Forget out)",
	"(pass --permission-mode bypassPermissions again)", "(pass assent.PermissionMode(permission.BypassPermissions) again)",
	"(pass --permission-mode for another)", "(pass assent.PermissionMode for another)",
	", as the command line says", ", as assent.PermissionMode says",
	"(start one with `assent -p PROMPT`)", "(start one with assent.Run)",
	"or continue it with --resume)", "or continue it with assent.Resume)",
	", or continue in a copy with --fork-session)", ", or continue in a copy with assent.Fork)",
	"start it with --allow-dangerously-skip-permissions", "start it with assent.AllowBypass",
	"(--classifier) cannot be asked: ", "(assent.Classifier) cannot be asked: ",
	"; with --classifier builtin no model is needed", "; with assent.Classifier(\"builtin\") no model is needed",
	"or OPENAI_BASE_URL and --model openai:NAME for an OpenAI-compatible server", "or OPENAI_BASE_URL and assent.Model(\"openai:NAME\") for an OpenAI-compatible server",
	"or play a file with --model script:FILE", "or play a file with assent.Model(\"script:FILE\")",
	"needs the name of a model: use --model openai:NAME", "needs the name of a model: use assent.Model(\"openai:NAME\")",
)

// inOptions is a text of the engine for who has options in place of flags.
func inOptions(text string) string {
	for _, b := range begins {
		if rest, ok := strings.CutPrefix(text, b[0]); ok {
			return b[1] + phrases.Replace(rest)
		}
	}
	return phrases.Replace(text)
}

// inGo is an error of the engine for who has options in place of flags. It is still the same
// for errors.Is and errors.As.
func inGo(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if said := inOptions(text); said != text {
		return &worded{said, err}
	}
	return err
}

// worded is an error in other words.
type worded struct {
	text string
	err  error
}

// Error is the text.
func (e *worded) Error() string { return e.text }

// Unwrap is the error as the engine has it.
func (e *worded) Unwrap() error { return e.err }
