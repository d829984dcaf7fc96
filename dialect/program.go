package dialect

import (
	"path"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/shell"
)

// What a command does depends on the shell that runs it and on the variables that are
// set for it. Some agents let a call say both.

// environmentNames are the names under which a call sets variables.
var environmentNames = [...]string{"env", "environment", "env_vars", "envVars", "environment_variables", "environmentVariables"}

// otherProgram is why a command may not be what it says; empty if it is.
func (a *arguments) otherProgram() (doubt string, err error) {
	name, _, err := a.get("shell")
	if err != nil {
		return "", err
	}
	if name != "" && !isUsualShell(name) {
		return "the call says that " + quoted(name) + " runs the command, which assent does not know as a shell", nil
	}
	a.asked = append(a.asked, environmentNames[:]...)
	for _, name := range environmentNames {
		if a.named.has(name) && setsCode(a.named[name]) {
			return "the call sets variables with " + quoted(name) + " that can load or run code", nil
		}
	}
	return "", nil
}

// isUsualShell: a shell that reads commands as assent does, from where systems keep it.
func isUsualShell(name string) bool {
	switch dir := path.Dir(name); {
	case !isShell(name):
		return false
	case !strings.Contains(name, "/"):
		return true
	default:
		return dir == "/bin" || dir == "/usr/bin" || dir == "/usr/local/bin" || dir == "/opt/homebrew/bin"
	}
}

// setsCode: one of the variables may make a program load or run code, or it is not known
// which ones are set. They are an object, or a list of NAME=value.
func setsCode(raw strictjson.Raw) bool {
	root, err := strictjson.Tree(raw)
	if err != nil || root.Kind != '{' && root.Kind != '[' {
		return true
	}
	for _, m := range root.Members() {
		if shell.MayLoadCode(m.Name.Text(), m.Value.Text()) {
			return true
		}
	}
	for element := range root.Elements() {
		name, value, _ := strings.Cut(element.Text(), "=")
		if element.Kind != '"' || shell.MayLoadCode(name, value) {
			return true
		}
	}
	return false
}
