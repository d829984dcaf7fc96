package assent

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/agent/launch"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/settings/oslinks"
)

// Option says something about a session. Options are read in order: the later of two
// that contradict each other counts, and those that add something all count. One that is
// nil says nothing. Relative paths start at the current directory of the process, but those
// of [AddDirs] at [Dir].
type Option func(*config) error

// Options is several options as one, for a program that needs the same ones often.
func Options(options ...Option) Option {
	return func(c *config) error {
		var errs []error
		for _, option := range options {
			if option != nil {
				errs = append(errs, option(c))
			}
		}
		return errors.Join(errs...)
	}
}

// config is a session as its options describe it.
type config struct {
	launch.Options
	hooks      []hook.Entry
	canUseTool CanUseToolFunc
	elicit     ElicitFunc
	functions  []*mcp.Functions
	hookEvents bool
	warn       func(string)
	// callbacks are the functions of the program that run: its hooks, answers and tools.
	callbacks *running
	// program is what is driven in place of a session in this process, with what only one
	// of them knows.
	program *program
	// own names the options that only a session in this process knows.
	own []string
}

// configure reads options. A Go program gets the settings that it asks for: files of the
// machine's user do not change how it works, but an administrator's do.
func configure(options []Option) (*config, error) {
	c := &config{callbacks: new(running)}
	c.Settings.Sources = []rule.Source{}
	c.Parking = agent.ParkAlone
	c.Links = oslinks.Links{}
	if err := Options(options...)(c); err != nil {
		return nil, err
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	return c, c.fill()
}

// check says which options do not go together.
func (c *config) check() error {
	switch {
	case c.Options.Resume != "" && c.Last:
		return errors.New("assent.Resume and assent.Continue name two sessions (leave one out)")
	case c.Options.Fork && !c.goesOn():
		return errors.New("assent.Fork copies a session, and none is named (add assent.Resume or assent.Continue)")
	case c.Options.Forget && c.goesOn(): // nobody would ask for the answers to its calls
		return errors.New("assent.Forget is for new sessions: one that goes on is on record, and so is what becomes of its calls (leave it out)")
	case c.ID != "" && c.goesOn() && !c.Options.Fork:
		return errors.New("assent.SessionID is the id of a new session, and the one that goes on has its own (leave it out, or add assent.Fork for a copy)")
	}
	return errors.Join(checkWords("SystemPrompt", c.System), checkWords("AppendSystemPrompt", c.Append))
}

// checkWords says what is wrong with a text that a program might get as an argument.
func checkWords(option, text string) error {
	switch {
	case !utf8.ValidString(text):
		return fmt.Errorf("assent.%s is not valid UTF-8, so it cannot be sent or written down (see strings.ToValidUTF8)", option)
	case strings.ContainsRune(text, 0):
		return fmt.Errorf("assent.%s has a NUL byte in it, which is no text", option)
	}
	return nil
}

// goesOn: the session is one that was there before.
func (c *config) goesOn() bool { return c.Options.Resume != "" || c.Last }

// warning tells a person something that no loop yields. A function that panics over it
// must not keep the session from its end.
func (c *config) warning(text string) {
	if c.warn != nil {
		defer func() { _ = recover() }()
		c.warn(text)
	}
}

// fill puts in what options have left open: where the session works and keeps its files.
func (c *config) fill() (err error) {
	if c.Settings.Dir, err = filepath.Abs(c.Settings.Dir); err != nil {
		return fmt.Errorf("the current directory cannot be used: %w (choose one with assent.Dir)", err)
	}
	if info, err := os.Stat(c.Settings.Dir); err != nil {
		return fmt.Errorf("the session cannot work in %s: %w (make it, or choose another directory with assent.Dir)", c.Settings.Dir, errors.Unwrap(err))
	} else if !info.IsDir() {
		return fmt.Errorf("the session cannot work in %s: it is no directory (choose one with assent.Dir)", c.Settings.Dir)
	}
	if flag := c.Settings.Flag; flag != "" && flag != "~" && !strings.HasPrefix(flag, "~/") {
		c.Settings.Flag = absoluteFile(flag)
	}
	for _, path := range []*string{&c.Settings.Home, &c.Settings.StateDir} {
		if *path == "" {
			continue
		}
		if *path, err = filepath.Abs(*path); err != nil {
			return fmt.Errorf("%s cannot be made an absolute path: %w", *path, err)
		}
	}
	if c.Settings.Home == "" {
		if c.Settings.Home, err = os.UserHomeDir(); err != nil {
			return fmt.Errorf("%w (set it, or choose a directory with assent.Home)", err)
		}
		c.Settings.ConfigDir = os.Getenv(settings.ConfigDirVariable)
	}
	if c.Settings.StateDir == "" {
		c.Settings.StateDir = os.Getenv("ASSENT_HOME")
	}
	return nil
}
