package builtin

import (
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/process"
)

// modelKeys are the variables from which this program takes the keys of its models. A
// command that may run unasked, such as env, must not show them to the model.
func modelKeys() []string {
	return []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY"}
}

// SessionMark is the variable that tells a program that the Bash tool of a session has
// started it, so that commands which are a person's to give can refuse. It keeps an agent
// from answering its own questions by accident; whoever runs as the same user and wants
// to can take it away.
const SessionMark = "ASSENT_SESSION"

// environment is what a command finds: ours and what the options add, without secrets
// and without what would make bash read the command as something else than was judged.
func (t *bashTool) environment(outer []string, dir string) []string {
	env := make([]string, 0, len(outer)+len(t.env)+1)
	for _, list := range [][]string{process.HandedOn(outer), process.HandedOn(t.env)} {
		for _, variable := range list {
			name, _, _ := strings.Cut(variable, "=")
			if !steersBash(name) && !slices.Contains(t.secrets, name) {
				env = append(env, variable)
			}
		}
	}
	return append(append(env, "PWD="+dir), gitCaution(env)...)
}

// gitCaution keeps git from using a repository that lies bare in a directory of the tree:
// its configuration can start programs. Settings of the same kind that somebody has made
// are left alone.
func gitCaution(env []string) []string {
	if slices.ContainsFunc(env, func(variable string) bool { return strings.HasPrefix(variable, "GIT_CONFIG_COUNT=") }) {
		return nil
	}
	return []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.bareRepository", "GIT_CONFIG_VALUE_0=explicit"}
}

// steersBash tells the variables that change what a command means to bash: start-up
// files, functions that take the place of programs, options, and where cd leads.
func steersBash(name string) bool {
	switch name {
	case "BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "BASH_COMPAT", "POSIXLY_CORRECT", "POSIX_PEDANTIC",
		"CDPATH", "GLOBIGNORE", "EXECIGNORE", "IFS", "PS4", "PROMPT_COMMAND":
		return true
	}
	return strings.HasPrefix(name, "BASH_FUNC_")
}
