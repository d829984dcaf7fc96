package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// What a host may change about a session that it drives.

// Instruct replaces what the model is told about its task. It must happen before the
// first prompt.
func (a *Agent) Instruct(system string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.prompted {
		return errors.New("instructions can only be given before the first prompt")
	}
	a.config.System = system
	return nil
}

// Kinds are the sub-agents that may be started.
func (a *Agent) Kinds() []Definition {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.kinds()
}

// Switch is whether the tools of a server are there.
type Switch uint8

// The positions.
const (
	Off Switch = iota + 1
	On
)

// switches are the servers whose tools a host has taken away. They are no rules: who
// switches a server on again must not lift a rule of somebody else.
type switches struct {
	mu  sync.Mutex
	off []string
}

func (s *switches) turn(server string, to Switch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.off = slices.DeleteFunc(s.off, func(name string) bool { return name == server })
	if to == Off {
		s.off = append(s.off, server)
	}
}

func (s *switches) list() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.off)
}

// hide: the tool is one of a server that is switched off.
func (s *switches) hide(tool string) bool {
	rest, remote := strings.CutPrefix(tool, "mcp__")
	if !remote {
		return false
	}
	server, _, _ := strings.Cut(rest, "__")
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.off, server)
}

// why says that a tool is not there because of its server; nothing if it is for another
// reason.
func (s *switches) why(tool string) string {
	if s.hide(tool) {
		return " (the host has switched its server off)"
	}
	return ""
}

// SwitchServer takes away the tools of a server, or gives them back, from the next
// decision on, also those of sub-agents. Rules are not touched.
func (a *Agent) SwitchServer(server string, to Switch) error {
	off := slices.Contains(a.SwitchedOffServers(), server)
	if to == Off && !off && a.permissions.Load().Removed("mcp__"+server+"__any") != nil {
		return fmt.Errorf("a rule has removed the server %s already", server)
	}
	a.switches.turn(server, to)
	return nil
}

// SwitchedOffServers are those whose tools were taken away with SwitchServer.
func (a *Agent) SwitchedOffServers() []string { return a.switches.list() }
