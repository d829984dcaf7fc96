package launch

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/tool"
)

// servers are the MCP servers of a session.
type servers struct {
	changing sync.Mutex // held by whoever changes which servers there are

	mu   sync.Mutex
	sets []*mcp.Set
	// added are those that a host has added, each in a set of its own.
	added []addedServer
	ended bool
}

type addedServer struct {
	config mcp.Server
	set    *mcp.Set // nil until it is connected or has failed
}

// keep remembers a set, so that it ends with the session.
func (all *servers) keep(set *mcp.Set) {
	all.mu.Lock()
	ended := all.ended
	all.sets = append(all.sets, set)
	all.mu.Unlock()
	if ended {
		endAll([]*mcp.Set{set}, func(ctx context.Context, set *mcp.Set) { set.Close(ctx) })
	}
}

func (all *servers) list() []*mcp.Set {
	all.mu.Lock()
	defer all.mu.Unlock()
	return slices.Clone(all.sets)
}

// tools are all that the servers have listed.
func (all *servers) tools() []tool.Runner {
	var tools []tool.Runner
	for _, set := range all.list() {
		tools = append(tools, set.Tools()...)
	}
	return tools
}

// with is the set that has a server of this name; nil if none has.
func (all *servers) with(name string) *mcp.Set {
	for _, set := range all.list() {
		if slices.ContainsFunc(set.Status(), func(s mcp.Status) bool { return s.Name == name }) {
			return set
		}
	}
	return nil
}

func (all *servers) close() {
	all.mu.Lock()
	all.ended = true
	all.mu.Unlock()
	endAll(all.list(), func(ctx context.Context, set *mcp.Set) { set.Close(ctx) })
}

// endAll ends things side by side, within the time that one of them gets.
func endAll[T any](list []T, end func(context.Context, T)) {
	ctx, cancel := context.WithTimeout(context.Background(), writing)
	defer cancel()
	var ending sync.WaitGroup
	for _, one := range list {
		ending.Go(func() { end(ctx, one) })
	}
	ending.Wait()
}

// Changed is what came of a change of servers. Names are in the order of the request.
type Changed struct {
	Added, Removed []string
	// Failed says of servers why they cannot be used.
	Failed map[string]string
}

// takenBack is why a server is not added that nobody wants any more.
const takenBack = "the request was taken back"

// SetServers makes these the servers that the host has added: those of an earlier call
// which are not among them end, and new ones are connected. Servers that were configured
// otherwise stay as they are, and keep their names, but those of the workspace: who drives
// the session need not yield to a repository. The model has the tools from the next time
// on that it is asked; those of a server that has ended fail at once. If the context ends
// before the new servers are there, they are not added; those that have ended by then have.
func (s *Session) SetServers(ctx context.Context, wanted []mcp.Server, host mcp.SendFunc) Changed {
	s.servers.changing.Lock()
	defer s.servers.changing.Unlock()
	var removed []string
	if ctx.Err() == nil { // another change may have taken long
		removed = s.servers.remove(func(have mcp.Server) bool {
			return !slices.ContainsFunc(wanted, func(want mcp.Server) bool { return same(have, want) })
		})
	}
	changed := s.add(ctx, wanted, host)
	changed.Removed = removed
	return changed
}

// AddServers is SetServers without an end for those that are there.
func (s *Session) AddServers(ctx context.Context, more []mcp.Server, host mcp.SendFunc) Changed {
	s.servers.changing.Lock()
	defer s.servers.changing.Unlock()
	return s.add(ctx, more, host)
}

func (s *Session) add(ctx context.Context, wanted []mcp.Server, host mcp.SendFunc) Changed {
	changed := Changed{Failed: map[string]string{}}
	var connecting sync.WaitGroup
	for _, want := range wanted {
		if err := s.Restrict(want.Restrictions); err != nil {
			changed.Failed[want.Name] = err.Error()
			continue
		}
		why := refusedServer(s.current.Load(), want)
		switch {
		case s.servers.has(want):
			continue
		case why != "":
			changed.Failed[want.Name] = why
			continue
		case ctx.Err() != nil:
			changed.Failed[want.Name] = takenBack
			continue
		case s.servers.with(want.Name) != nil && !s.makeRoom(want.Name):
			changed.Failed[want.Name] = "a server of this name is configured already (choose another name)"
			continue
		}
		added := s.servers.reserve(want)
		changed.Added = append(changed.Added, want.Name)
		connecting.Go(func() {
			added(s.connect(ctx, []mcp.Server{want}, s.options, s.cwd, host))
		})
	}
	connecting.Wait()
	if ctx.Err() != nil {
		s.servers.remove(func(have mcp.Server) bool { return slices.Contains(changed.Added, have.Name) })
		for _, name := range changed.Added {
			changed.Failed[name] = takenBack
		}
		return changed
	}
	for _, status := range s.ServerStatus() {
		if slices.Contains(changed.Added, status.Name) && status.State != mcp.Connected {
			changed.Failed[status.Name] = cmp.Or(status.Reason, "it is not connected yet")
		}
	}
	return changed
}

// makeRoom ends a server of the workspace whose name the host wants for one of its own.
func (s *Session) makeRoom(name string) bool {
	set := s.servers.with(name)
	ofWorkspace := func(have mcp.Status) bool {
		return have.Name == name && (have.Config.Scope == scope(rule.ProjectSettings) || have.Config.Scope == scope(rule.LocalSettings))
	}
	if !slices.ContainsFunc(set.Status(), ofWorkspace) {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), writing)
	defer cancel()
	set.Drop(ctx, name)
	s.options.Warn(fmt.Sprintf("the MCP server %s of this workspace is not used: the host has one of that name", name))
	return true
}

// Restrict puts rules in force that come with servers. They hold for the whole session.
func (s *Session) Restrict(r mcp.Restrictions) error {
	for behavior, rules := range map[rule.Behavior][]string{rule.Deny: r.Deny, rule.Ask: r.Ask} {
		if len(rules) == 0 {
			continue
		}
		u := permission.Update{Type: permission.AddRules, Destination: rule.Session, Behavior: behavior, Rules: rules}
		if err := s.Agent.Restrict(u); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) restrictAll(servers []mcp.Server) error {
	for _, server := range servers {
		if err := s.Restrict(server.Restrictions); err != nil {
			return fmt.Errorf("the MCP server %s: %w", server.Name, err)
		}
	}
	return nil
}

// same: two configurations mean the same connection.
func same(a, b mcp.Server) bool {
	a.Restrictions, b.Restrictions = mcp.Restrictions{}, mcp.Restrictions{}
	return reflect.DeepEqual(a, b)
}

// remove ends the added servers that are to go and returns their names.
func (all *servers) remove(goes func(mcp.Server) bool) (names []string) {
	gone := all.forget(goes)
	endAll(gone, func(ctx context.Context, a addedServer) {
		if a.set != nil {
			a.set.Drop(ctx, a.config.Name)
		}
	})
	for _, a := range gone {
		names = append(names, a.config.Name)
	}
	return names
}

// forget takes the added servers that are to go off the lists and returns them.
func (all *servers) forget(goes func(mcp.Server) bool) []addedServer {
	all.mu.Lock()
	defer all.mu.Unlock()
	var gone, left []addedServer
	for _, a := range all.added {
		if !goes(a.config) {
			left = append(left, a)
			continue
		}
		gone = append(gone, a)
		all.sets = slices.DeleteFunc(all.sets, func(set *mcp.Set) bool { return set == a.set })
	}
	all.added = left
	return gone
}

func (all *servers) has(config mcp.Server) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	return slices.ContainsFunc(all.added, func(a addedServer) bool { return a.set != nil && same(a.config, config) })
}

// reserve gives a server its place, in the order of the request. What it returns takes
// the set when there is one.
func (all *servers) reserve(config mcp.Server) func(*mcp.Set) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if !slices.ContainsFunc(all.added, func(a addedServer) bool { return a.config.Name == config.Name }) {
		all.added = append(all.added, addedServer{config: config})
	}
	return func(set *mcp.Set) {
		all.mu.Lock()
		defer all.mu.Unlock()
		for i := range all.added {
			if all.added[i].config.Name == config.Name {
				all.added[i].set = set
			}
		}
	}
}

// Announce makes servers known that SetServers is going to connect: until then they are
// pending.
func (s *Session) Announce(coming []mcp.Server) {
	for _, config := range coming {
		s.servers.reserve(config)
	}
}

// HostServers are servers inside of a host.
func HostServers(names []string) []mcp.Server {
	var list []mcp.Server
	for i, name := range names {
		if !slices.Contains(names[:i], name) {
			list = append(list, mcp.Server{Name: name, Kind: mcp.SDK, Scope: dynamic})
		}
	}
	return list
}

// ReadServers reads servers as a host describes them: an object by name. Variables are
// those of the session.
func (s *Session) ReadServers(text []byte) ([]mcp.Server, []mcp.Problem) {
	servers, problems := mcp.ReadServers(text, s.lookup)
	for i := range servers {
		servers[i].Scope = dynamic
	}
	return servers, problems
}

// ServerStatus is how the servers of the session do.
func (s *Session) ServerStatus() []mcp.Status {
	var all []mcp.Status
	for _, set := range s.servers.list() {
		all = append(all, set.Status()...)
	}
	for _, config := range s.servers.coming() {
		if !slices.ContainsFunc(all, func(have mcp.Status) bool { return have.Name == config.Name }) {
			all = append(all, mcp.Status{Name: config.Name, Kind: config.Kind, State: mcp.Pending})
		}
	}
	return all
}

// coming are the servers that are not connected yet.
func (all *servers) coming() []mcp.Server {
	all.mu.Lock()
	defer all.mu.Unlock()
	var list []mcp.Server
	for _, a := range all.added {
		if a.set == nil {
			list = append(list, a.config)
		}
	}
	return list
}

// Reconnect connects to a server anew.
func (s *Session) Reconnect(ctx context.Context, server string) error {
	set := s.servers.with(server)
	if set == nil {
		return noServer(server)
	}
	return set.Reconnect(ctx, server)
}

// SwitchServer takes away the tools of a server, or gives them back.
func (s *Session) SwitchServer(server string, to agent.Switch) error {
	if s.servers.with(server) == nil {
		return noServer(server)
	}
	return s.Agent.SwitchServer(server, to)
}

// Deliver hands on a message that a server inside of the host has sent of its own accord.
func (s *Session) Deliver(ctx context.Context, server string, message []byte) error {
	set := s.servers.with(server)
	if set == nil {
		return noServer(server)
	}
	return set.Deliver(ctx, server, message)
}

func noServer(name string) error { return fmt.Errorf("there is no MCP server %q", name) }

// ServerState is the word for how a server does.
func (s *Session) ServerState(status mcp.Status) string {
	if s.Agent != nil && slices.Contains(s.Agent.SwitchedOffServers(), status.Name) {
		return "disabled"
	}
	return status.State.String()
}
