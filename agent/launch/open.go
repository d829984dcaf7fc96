package launch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/internal/account"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/tool/builtin"
)

// StateDir is where sessions, tickets and the audit log are kept.
func StateDir(o settings.Options) string {
	if o.StateDir != "" {
		return o.StateDir
	}
	return filepath.Join(o.Home, ".assent")
}

// open makes the session. Nothing of it is written before all that can fail has gone
// well, as far as one can know; a session that goes on is this process's own before it
// is read.
func (s *Session) open(o Options) error {
	if err := account.Check(o.Requester); err != nil {
		return err
	}
	store := session.NewStore(filepath.Join(StateDir(o.Settings), "sessions"))
	store.Depot = o.Depot
	if err := s.find(store, &o); err != nil {
		return err
	}
	ready, err := s.prepare(o)
	if err != nil {
		return err
	}
	loaded, config := ready.settings, ready.config
	if o.SameModel && o.Model == "" && s.before != nil {
		o.Model = sameModel(s.before.Start.Model, s.env.get)
	}
	talk, err := openModel(o, s.env)
	if err != nil {
		return err
	}
	permissions := config.Permissions
	if err := s.fits(permissions.Cwd(), o); err != nil {
		return err
	}
	speaker := s.speaker(o)
	config.Provider, config.Model, config.System = talk.provider, talk.model, systemPrompt(o, permissions.Cwd())
	config.Environment.Version, config.Environment.APIKeySource = o.Version, talk.keySource
	config.Links, config.Requester, config.Asker, config.Emit = o.Links, speaker, o.Asker, o.Emit
	config.Parking, config.Desk, config.Unattended = o.Parking, o.Desk, o.Unattended
	config.MaxTurns, config.HookEvents, config.Partial = o.MaxTurns, o.HookEvents, o.Partial
	if err := inTime(config.Classifier, permissions.Mode()); err != nil {
		return err
	}
	s.options, s.cwd, s.keySource, s.customs.model = o, permissions.Cwd(), talk.keySource, talk.model
	servers := ready.servers
	s.current.Store(loaded)
	config.Servers, config.HeldBack = offers{s}, s.heldBack
	s.connect(o.Context, servers, o, permissions.Cwd(), nil)
	config.Tools, config.Environment.MCPServers = offers{s}.Offer()
	warnUnmatched(o, loaded, config.Tools)
	if o.Context.Err() != nil {
		return context.Cause(o.Context)
	}
	if o.PromptTool != "" {
		if config.Asker, err = s.promptAsker(); err != nil {
			return err
		}
	}
	start := session.Start{Session: s.ID, Cwd: permissions.Cwd(), Model: talk.model, Mode: permissions.Mode().String(), Version: o.Version, Requester: speaker}
	if err := s.begin(store, o, start); err != nil {
		return err
	}
	if err := s.enlist(config, o); err != nil {
		return err
	}
	if err := s.restrictAll(servers); err != nil {
		return err
	}
	if s.Source == "resume" && !o.Fork {
		// It is on the disk with the first record of what happens then, and not a moment earlier:
		// whoever has approved a call waits for that one only.
		if err := s.transcript.Write(session.Resumed, start); err != nil {
			return err
		}
	}
	if len(servers) > 0 { // which may have taken their time, and what was denied meanwhile holds from the first call on
		next, reports := settings.Reload(o.Settings, loaded)
		s.adopt(o, next, reports)
		loaded = next
	}
	s.watch(o, loaded)
	return nil
}

// speaker is who can say something to the model from now on, and so wants what it does: who
// begins the session, makes a fork, or may go on with a prompt. Who only takes up what was
// answered cannot, unless he comes with instructions of his own; those of a worker or a server
// are the operator's, who speaks in no session.
func (s *Session) speaker(o Options) string {
	instructs := !o.Unattended && (o.System != "" || o.Append != "" || o.Agents != "")
	if s.Source == "resume" && !o.Fork && o.OnlyPending && !instructs {
		return ""
	}
	return o.Requester
}

// enlist makes the agent, with what it writes to.
func (s *Session) enlist(config agent.Config, o Options) error {
	s.log = audit.Open(filepath.Join(StateDir(o.Settings), "audit"))
	s.writer = settings.NewWriter(o.Settings)
	s.writer.OnFailure(func(err error) { o.Warn(err.Error()) })
	files, err := s.files()
	if err != nil {
		return err
	}
	tasks, err := s.tasks()
	if err != nil {
		return err
	}
	config.Tools = append(o.pick(builtin.New(builtin.Options{Home: o.Settings.Home, Env: s.env.added(), Files: files, Tasks: tasks})), config.Tools...)
	config.NoSubAgents = !o.offers("Task")
	config.Hooks.State, config.Transcript, config.Audit, config.Persist = s.state, s.transcript, s.log, s.writer.Queue
	if s.Agent, err = agent.New(config); err != nil {
		return err
	}
	if s.before == nil {
		return nil
	}
	return s.Agent.Restore(*s.before)
}

// begin opens what the session writes: a transcript and the state of its hooks.
func (s *Session) begin(store *session.Store, o Options, start session.Start) (err error) {
	switch {
	case s.Source == "resume" && !o.Fork:
		return s.joinState()
	case s.Source == "resume":
		store.Prepare = func(dir string) error { return s.forkState(dir, o.Resume) }
		if s.transcript, err = store.Fork(o.Resume, s.ID, start); err != nil {
			return err
		}
		if err := s.read(); err != nil { // the other session may have gone on since it was looked at
			return err
		}
		return s.mayTakeUp(o)
	case o.Forget:
		if err := s.scratchState(); err != nil {
			return err
		}
		s.transcript, err = session.Memory(s.ID, start)
	default:
		store.Prepare = s.newState
		s.transcript, err = store.Create(s.ID, start)
	}
	return err
}

// files is what the model has seen of files, also in earlier processes. A new sight is
// kept with the session: an edit that waits for an answer must find what it was based on.
func (s *Session) files() (*builtin.Files, error) {
	files := builtin.NewFiles()
	if s.before != nil {
		var seen []builtin.Sight
		for _, raw := range s.before.Sights {
			var sight builtin.Sight
			if err := strictjson.Unmarshal(raw, &sight); err != nil {
				return nil, fmt.Errorf("what the session has seen of files cannot be read: %w", err)
			}
			seen = append(seen, sight)
		}
		files.Restore(seen)
	}
	files.Saw = func(sight builtin.Sight) {
		_ = s.transcript.Append(session.Saw, sight) // the next record will fail too, and that one stops the agent
	}
	return files, nil
}

// tasks is the list of tasks, also of earlier processes.
func (s *Session) tasks() (*builtin.Tasks, error) {
	tasks := builtin.NewTasks()
	if s.before != nil {
		list := make([]builtin.Task, len(s.before.Tasks))
		for i, raw := range s.before.Tasks {
			if err := strictjson.Unmarshal(raw, &list[i]); err != nil {
				return nil, fmt.Errorf("the tasks of the session cannot be read: %w", err)
			}
		}
		if err := tasks.Restore(list); err != nil {
			return nil, err
		}
	}
	tasks.Changed = func(task builtin.Task) {
		_ = s.transcript.Append(session.Planned, task) // as with sights
	}
	return tasks, nil
}

// writing is how long settings get to be written when a session ends, whatever its hooks
// have used up before.
const writing = 10 * time.Second

// Close ends the session. Nothing is lost: hooks get until ctx ends, settings are
// written, the transcript is given back.
func (s *Session) Close(ctx context.Context) error {
	s.Agent.Close(ctx, "other")
	return s.release()
}

// Unrecorded is why nothing more of the session could be recorded; nil when everything was.
func (s *Session) Unrecorded() error {
	if s.transcript == nil {
		return nil
	}
	return s.transcript.Broken()
}

// release gives back what is open.
func (s *Session) release() error {
	var errs []error
	if s.watching != nil {
		s.watching()
		<-s.watched
	}
	s.servers.close()
	if s.writer != nil {
		ctx, cancel := context.WithTimeout(context.Background(), writing)
		defer cancel()
		errs = append(errs, s.writer.Close(ctx))
	}
	if s.log != nil {
		errs = append(errs, s.log.Close())
	}
	if s.transcript != nil {
		errs = append(errs, s.transcript.Close())
	}
	if s.scratch != "" {
		errs = append(errs, os.RemoveAll(s.scratch))
	}
	return errors.Join(errs...)
}
