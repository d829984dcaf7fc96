package assent

import (
	"fmt"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/session"
)

// Dir is the directory in which the session works; the current one unless given.
func Dir(path string) Option {
	return func(c *config) error {
		c.Settings.Dir = path
		return nil
	}
}

// Home is the directory of the user, which settings and rules call ~; that of the process
// unless given. The user's settings lie in .claude below it, or where CLAUDE_CONFIG_DIR says
// if it is that of the process.
func Home(path string) Option {
	return func(c *config) error {
		c.Settings.Home = path
		return c.only("Home")
	}
}

// StateDir is where sessions, tickets and the audit log are kept: $ASSENT_HOME unless
// given, or else .assent in the home directory.
func StateDir(path string) Option {
	return func(c *config) error {
		c.Settings.StateDir = path
		return c.only("StateDir")
	}
}

// Model names the model: "claude-opus-4-1", "openai:NAME", "script:FILE". Without it the
// environment decides.
func Model(name string) Option {
	return func(c *config) error {
		c.Options.Model = name
		return nil
	}
}

// Provider is the model itself, in place of one that the environment knows: one of your
// own, or a script of package model/script for tests.
func Provider(p model.Provider) Option {
	return func(c *config) error {
		c.Options.Provider = p
		return c.only("Provider")
	}
}

// SystemPrompt replaces what the model is told about its task.
func SystemPrompt(text string) Option {
	return func(c *config) error {
		c.System = text
		return nil
	}
}

// AppendSystemPrompt adds to what the model is told about its task. Several add one after
// the other.
func AppendSystemPrompt(text string) Option {
	return func(c *config) error {
		if c.Append != "" && text != "" {
			c.Append += "\n\n"
		}
		c.Append += text
		return nil
	}
}

// MaxTurns is how often the model is asked for one prompt at most, as the vendor counts: a
// prompt that needs more ends with the subtype error_max_turns. 0 is no limit.
func MaxTurns(n int) Option {
	return func(c *config) error {
		if n < 0 {
			return fmt.Errorf("assent.MaxTurns: there cannot be %d turns (0 is no limit)", n)
		}
		c.Options.MaxTurns = n
		return nil
	}
}

// Resume goes on with a session. Calls of it that wait are taken up first: hooks are asked
// about them again, and so is the inbox. With an empty prompt nothing else happens; with
// another one they have a result of their own, which has TakenUp set and comes before that
// of the prompt, unless nobody has answered, in which case the prompt takes their place.
func Resume(id string) Option {
	return func(c *config) error {
		c.Options.Resume = id
		return session.CheckID(id)
	}
}

// Continue goes on with the last session of the directory.
func Continue() Option {
	return func(c *config) error {
		c.Last = true
		return nil
	}
}

// Fork goes on with a copy of the session that [Resume] or [Continue] names.
func Fork() Option {
	return func(c *config) error {
		c.Options.Fork = true
		return nil
	}
}

// SessionID is the id of a new session, or of the copy that [Fork] makes: a UUID in lower
// case; a random one unless given. That there is such a session already is
// [ErrSessionExists].
func SessionID(id string) Option {
	return func(c *config) error {
		c.ID = id
		return session.CheckID(id)
	}
}

// Forget keeps no transcript of a new session: nobody can go on with it, and no call can
// wait. Decisions are in the audit log all the same.
func Forget() Option {
	return func(c *config) error {
		c.Options.Forget = true
		return nil
	}
}

// DeferBatch lets hooks defer several calls of one turn. Otherwise only a call that is
// alone in its turn can wait.
func DeferBatch() Option {
	return func(c *config) error {
		c.Parking = agent.ParkBatch
		return nil
	}
}

// HookEvents yields [*HookStarted] and [*HookResponse] for every hook. How the hooks of a
// prompt did is in its result in any case.
func HookEvents() Option {
	return func(c *config) error {
		c.hookEvents = true
		return nil
	}
}

// Partial yields the model's answer in pieces, too: [*StreamEvent].
func Partial() Option {
	return func(c *config) error {
		c.Options.Partial = true
		return nil
	}
}

// Warn is told what a person should know and no loop yields: with [Run] all of it, and else
// mostly what went wrong at the end of a session whose loop was left. A panic of it counts
// for nothing.
func Warn(f func(text string)) Option {
	return func(c *config) error {
		c.warn = f
		return nil
	}
}

// only says that an option has a meaning only for a session in this process.
func (c *config) only(name string) error {
	c.own = append(c.own, name)
	return nil
}
