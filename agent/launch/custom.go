package launch

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/settings/custom"
)

// customs are the custom commands of a session, and what was said about them.
type customs struct {
	settings settings.Options
	warn     func(string)
	told     map[string]bool
	listed   []custom.Command
	model    string // that of the session, when it began
}

// compact is the command that needs no file.
var compact = custom.Command{Name: "compact", Description: "Sum the conversation up and go on from there", ArgumentHint: "<what the summary should keep>"}

// customize gives the agent its custom commands and agents. Those of --agents count more
// than those of files.
func (s *Session) customize(config *agent.Config, o Options, loaded *settings.Settings) error {
	s.customs = &customs{settings: o.Settings, warn: o.Warn, told: map[string]bool{}, listed: []custom.Command{compact}}
	found, err := s.customs.load(loaded)
	if err != nil {
		return err
	}
	var agents []custom.Agent
	if o.Agents != "" {
		var notes []string
		if agents, notes, err = custom.ReadFlag([]byte(o.Agents)); err != nil {
			return fmt.Errorf("--agents: %w", err)
		}
		for _, n := range notes {
			o.Warn("--agents: " + n)
		}
	}
	for _, a := range found.Agents {
		if !slices.ContainsFunc(agents, func(have custom.Agent) bool { return have.Name == a.Name }) {
			agents = append(agents, a)
		}
	}
	agents, unsound := sound(agents)
	for _, why := range unsound {
		o.Warn(why)
	}
	config.Agents = Definitions(agents)
	for _, d := range config.Agents {
		config.Environment.Agents = append(config.Environment.Agents, d.Name)
	}
	config.ResolveModel = s.resolve
	config.Command = func(prompt string) (*agent.Command, error) { return s.customs.command(prompt, s.resolve) }
	s.customs.list(found.Commands)
	for _, c := range s.customs.listed {
		config.Environment.Commands = append(config.Environment.Commands, c.Name)
	}
	return nil
}

// Definitions are agents as an [agent.Agent] takes them.
func Definitions(agents []custom.Agent) []agent.Definition {
	var all []agent.Definition
	for _, a := range agents {
		all = append(all, agent.Definition{
			Name: a.Name, Description: a.Description, Prompt: a.Prompt, Tools: a.Tools, Disallowed: a.Disallowed,
			Model: a.Model, Mode: a.Mode, MaxTurns: a.MaxTurns,
		})
	}
	return all
}

// Commands are the commands that a prompt may name, as they were when the session began:
// what people are told about them, without their text.
func (s *Session) Commands() []custom.Command { return slices.Clone(s.customs.listed) }

// sound leaves out agents that are to do without something that is no tool: they would
// have what somebody meant to take away. It says why, by their names.
func sound(agents []custom.Agent) (kept []custom.Agent, unsound map[string]string) {
	unsound = map[string]string{}
	for _, a := range agents {
		unknown := Definitions([]custom.Agent{a})[0].Unknown()
		if len(unknown) == 0 {
			kept = append(kept, a)
			continue
		}
		why := fmt.Sprintf("agent %q is left out: disallowedTools names %q, which is no tool (names are exact; * stands for anything)", a.Name, unknown[0])
		if a.File != "" {
			why = a.File + ": " + why
		}
		unsound[a.Name] = why
	}
	return kept, unsound
}

// load reads commands and agents, and says what is new about them.
func (c *customs) load(loaded *settings.Settings) (settings.Custom, error) {
	found, err := settings.LoadCustom(c.settings, loaded)
	for _, r := range found.Reports {
		if text := r.String(); !c.told[text] {
			c.told[text] = true
			c.warn(text)
		}
	}
	return found, err
}

func (c *customs) list(commands []settings.Command) {
	for _, command := range commands {
		if command.Fault == nil && command.Name != compact.Name {
			// Its text is read again when somebody wants it.
			c.listed = append(c.listed, custom.Command{Name: command.Name, Description: command.Description, ArgumentHint: command.ArgumentHint, File: command.File})
		}
	}
	slices.SortFunc(c.listed, func(a, b custom.Command) int { return strings.Compare(a.Name, b.Name) })
}

// command finds the command that a prompt names. The files and who trusts them are
// looked at anew: what runs is what is trusted now.
func (c *customs) command(prompt string, resolve func(string) string) (*agent.Command, error) {
	name, arguments, ok := custom.Called(prompt)
	if !ok {
		return nil, nil
	}
	loaded, err := settings.Load(c.settings)
	if err != nil {
		return nil, fmt.Errorf("/%s does not run while the settings cannot be read: %w", name, err)
	}
	found, err := c.load(loaded)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(found.Commands, func(have settings.Command) bool { return have.Name == name })
	switch {
	case i < 0 && slices.Contains(found.HeldBack, name):
		return nil, fmt.Errorf("/%s is a command of this workspace and does not run: %s", name, found.Why)
	case i < 0 && exists("/"+name): // "/tmp is full" is about a directory
		return nil, nil
	case i < 0:
		return nil, unknown(name, found.Commands)
	case found.Commands[i].Fault != nil:
		return nil, fmt.Errorf("/%s does not run: %w", name, found.Commands[i].Fault)
	}
	it := &found.Commands[i]
	command := &agent.Command{Name: name, File: it.File, Text: it.Expand(arguments), Allow: it.Rules}
	if it.Model != "" {
		command.Model = resolve(it.Model)
	}
	return command, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// unknown says that there is no such command, and which ones have a similar name.
func unknown(name string, commands []settings.Command) error {
	var all, near []string
	for _, c := range append(commands, settings.Command{Command: compact}) {
		all = append(all, "/"+c.Name)
		if similar(name, c.Name) {
			near = append(near, "/"+c.Name)
		}
	}
	slices.Sort(all)
	slices.Sort(near)
	const enough = 20
	switch {
	case len(near) > 0:
		return fmt.Errorf("there is no command /%s (did you mean %s?)", name, strings.Join(near[:min(len(near), enough)], ", "))
	case len(all) > enough:
		return fmt.Errorf("there is no command /%s (there are %s and %d more)", name, strings.Join(all[:enough], ", "), len(all)-enough)
	}
	return fmt.Errorf("there is no command /%s (there are: %s; begin with a blank if it is none)", name, strings.Join(all, ", "))
}

// similar: one name is part of the other, or two letters make the difference.
func similar(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	return len(a) > 2 && strings.Contains(b, a) || len(b) > 2 && strings.Contains(a, b) || policy.Distance(a, b) <= 2 && min(len(a), len(b)) > 2
}
