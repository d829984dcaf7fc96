package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/settings/foreign"
)

const initHelp = `Let assent judge the tool calls of another agent: add ` + "`assent hook`" + ` to the hooks in that
agent's own configuration file, and a policy to start from. Without --agent it looks which agents
are there.

What would change is shown first. Everything else in the files stays as it is, and running init
again changes nothing. A guard that is there already and would not stop a call is mended. --undo
takes out what was added.

  assent init                          ask about every agent that is found
  assent init --agent codex --yes      for scripts
  assent init --project --print        what would be added to this project's files`

type initFlags struct {
	agents           []string
	user, project    bool
	yes, undo, print bool
	policy           string
}

func newInit(a *app) *cobra.Command {
	var f initFlags
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Wire the guard into another agent",
		Long:  initHelp,
		Args:  atMost(0, "init takes none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.user && f.project || f.print && f.yes {
				return usage(cmd, "--user and --project exclude each other, and so do --print and --yes")
			}
			if f.policy != "starter" && f.policy != "none" {
				return usage(cmd, "--policy "+f.policy+": want starter or none")
			}
			return a.wire(f)
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.agents, "agent", nil, "the agent: "+strings.Join(agentNames(), ", ")+" (repeatable)")
	flags.BoolVar(&f.user, "user", false, "change your own files, for every project (default)")
	flags.BoolVar(&f.project, "project", false, "change the files of this project, for everybody who works on it")
	flags.BoolVar(&f.yes, "yes", false, "do it without asking")
	flags.BoolVar(&f.undo, "undo", false, "take out what was added")
	flags.BoolVar(&f.print, "print", false, "only show what would change")
	flags.StringVar(&f.policy, "policy", "starter", "starter: add a policy if there is none; none: leave the policy alone")
	must(cmd.RegisterFlagCompletionFunc("agent", words(agentNames()...)))
	must(cmd.RegisterFlagCompletionFunc("policy", words("starter", "none")))
	return cmd
}

func agentNames() []string {
	var all []string
	for _, agent := range foreign.Agents {
		all = append(all, agent.String())
	}
	return all
}

func (a *app) wire(f initFlags) error {
	o, found, err := f.options()
	if err != nil {
		return err
	}
	plan, err := foreign.Wiring(o)
	if f.undo {
		plan, err = foreign.Undoing(o)
	}
	if err != nil {
		return err
	}
	if err := a.printPlan(plan, o, f, found); err != nil || len(plan.Changes) == 0 || f.print {
		return err
	}
	if err := a.agree(f); err != nil {
		return err
	}
	if err := plan.Apply(); err != nil {
		return err
	}
	return a.printDone(plan, o, f)
}

// options are the flags as package foreign wants them, with the sign by which each
// agent was found if none was named.
func (f *initFlags) options() (o foreign.Options, found map[foreign.Agent]string, err error) {
	flags := policyFlags{sources: strings.Join(sourceNames, ",")}
	where, err := flags.options()
	if err != nil {
		return o, nil, err
	}
	o = foreign.Options{
		Places:   foreign.Places{Home: where.Home, Dir: where.Dir, Getenv: os.Getenv},
		StateDir: where.StateDir, Runs: runs,
	}
	if f.project {
		o.Scope = foreign.Project
	}
	if f.policy == "none" || f.undo && len(f.agents) > 0 {
		o.Policy = foreign.NoPolicy // the policy is that of all agents
	}
	if o.Program, err = guardProgram(o.Scope); err != nil {
		return o, nil, err
	}
	o.Agents, found, err = f.chosen(o.Places)
	return o, found, err
}

// chosen are the agents that were named, else those that are found. Undoing looks
// at all of them: the program may be gone, and its file still there.
func (f *initFlags) chosen(p foreign.Places) (agents []foreign.Agent, found map[foreign.Agent]string, err error) {
	for _, name := range f.agents {
		agent, err := foreign.ParseAgent(name)
		if err != nil {
			return nil, nil, fmt.Errorf("--agent: %w", err)
		}
		agents = append(agents, agent)
	}
	switch {
	case len(agents) > 0:
		return agents, nil, nil
	case f.undo:
		return foreign.Agents, nil, nil
	}
	found = map[foreign.Agent]string{}
	for _, one := range p.Detect(exec.LookPath) {
		agents = append(agents, one.Agent)
		found[one.Agent] = one.Sign
	}
	if len(agents) == 0 {
		return nil, nil, fmt.Errorf("init: no agent was found, neither its directory nor its program (name one: --agent %s)", strings.Join(agentNames(), ", "))
	}
	return agents, found, nil
}

// guardProgram is how the guard is started: as assent-hook, which starts faster, or
// as assent; by its name where that is found, else by a path. A project's files are
// for other machines as well, so they always get the one name that is there for sure.
func guardProgram(scope foreign.Scope) (foreign.Program, error) {
	p := foreign.Program{Path: "assent", Windows: runtime.GOOS == "windows"}
	if scope == foreign.Project {
		return p, nil
	}
	for _, name := range []string{"assent-hook", "assent"} {
		if runs(name) {
			p.Path = name
			return p, nil
		}
	}
	path, err := os.Executable()
	if err != nil {
		return p, fmt.Errorf("init: assent is not on PATH, and where this program lies is not known: %w", err)
	}
	p.Path, err = filepath.Abs(path)
	if alone := filepath.Join(filepath.Dir(p.Path), "assent-hook"+filepath.Ext(p.Path)); err == nil && runs(alone) {
		p.Path = alone
	}
	return p, err
}

// runs: the program can be started from a shell.
func runs(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// agree asks the person at the terminal. Where nobody can answer nothing is changed.
func (a *app) agree(f initFlags) error {
	if f.yes {
		return nil
	}
	if !a.somebodyAnswers() {
		a.complain("init: nothing was changed, because nobody can answer here (read what would change, then pass --yes)")
		return errNo
	}
	return a.saysYes("Change it?", "nothing was changed")
}
