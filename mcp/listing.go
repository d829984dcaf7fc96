package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/tool"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// What one server may offer. Beyond it a model request would be of no use to anybody.
const (
	maxTools       = 10_000
	maxPages       = 1_000
	maxListing     = 8 << 20 // descriptions and schemas together
	maxSchema      = 256 << 10
	maxDepth       = 64 // of a schema
	maxDescription = 16 << 10
	maxNotes       = 20
)

// listed is a tool as a server lists it.
type listed struct {
	name, description string
	schema            strictjson.Raw
	fault             error // why the schema cannot be used
	hints             ToolInfo
}

// list asks a server for its tools and takes them over. The caller has the turn.
func (s *server) list(ctx context.Context, conn *connection) error {
	found, notes, err := listAll(ctx, conn.session)
	if err != nil {
		return err
	}
	tools, more := s.adopt(found)
	notes = append(notes, more...)
	if len(notes) > maxNotes {
		notes = append(notes[:maxNotes:maxNotes], fmt.Sprintf("and %d more of this kind", len(notes)-maxNotes))
	}
	infos := make([]ToolInfo, len(tools))
	for i, t := range tools {
		infos[i] = t.hints
		infos[i].Name, infos[i].Description = t.Name(), t.description
	}
	s.note(notes)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tools, s.infos = tools, infos
	s.changed()
	return nil
}

// note keeps what a person should know about the tools. Whoever opens the set looks at the
// notes of the first list; what is new later is told.
func (s *server) note(notes []string) {
	s.mu.Lock()
	before := s.notes
	s.notes = notes
	s.mu.Unlock()
	select {
	case <-s.done:
	default:
		return
	}
	for _, n := range notes {
		if !slices.Contains(before, n) {
			s.options.warn(fmt.Sprintf("the MCP server %s: %s", s.config.Name, n))
		}
	}
}

func listAll(ctx context.Context, session *sdk.ClientSession) (tools []listed, notes []string, err error) {
	caps := session.InitializeResult().Capabilities
	params := &sdk.ListToolsParams{}
	size := 0
	for range maxPages {
		page, err := session.ListTools(ctx, params)
		if wire, ok := errors.AsType[*jsonrpc.Error](err); ok && wire.Code == jsonrpc.CodeMethodNotFound && (caps == nil || caps.Tools == nil) {
			return nil, nil, nil // a server without tools
		}
		if err != nil {
			return nil, nil, err
		}
		for _, t := range page.Tools {
			if t == nil {
				continue
			}
			tool := read(t)
			size += len(tool.name) + len(tool.description) + len(tool.schema)
			switch {
			case len(tools) == maxTools:
				return tools, []string{fmt.Sprintf("it lists more than %d tools; the rest is left out", maxTools)}, nil
			case size > maxListing:
				return tools, []string{fmt.Sprintf("what it says about its tools has more than %d bytes; all but the first %d are left out", maxListing, len(tools))}, nil
			}
			tools = append(tools, tool)
		}
		if page.NextCursor == "" {
			return tools, nil, nil
		}
		params.Cursor = page.NextCursor
	}
	return tools, []string{fmt.Sprintf("its list of tools has more than %d pages; the rest is left out", maxPages)}, nil
}

func read(t *sdk.Tool) listed {
	l := listed{name: t.Name, description: cut(valid(t.Description), maxDescription, "…")}
	l.schema, l.fault = schemaOf(t)
	if a := t.Annotations; a != nil {
		l.hints = ToolInfo{
			ReadOnly: a.ReadOnlyHint, Destructive: a.DestructiveHint != nil && *a.DestructiveHint, OpenWorld: a.OpenWorldHint != nil && *a.OpenWorldHint,
		}
	}
	return l
}

// adopt makes tools of ours of what a server lists.
func (s *server) adopt(found []listed) (tools []*remoteTool, notes []string) {
	given := make([]string, len(found))
	for i, t := range found {
		given[i] = t.name
	}
	names, notes := named(s.config.Name, given)
	for i, t := range found {
		if names[i] == "" {
			continue
		}
		if t.fault != nil {
			notes = append(notes, fmt.Sprintf("the tool %s is left out: %v", quoted(t.name), t.fault))
			continue
		}
		tools = append(tools, &remoteTool{
			Named: tool.Named(names[i]), server: s, remote: t.name, schema: t.schema, description: t.description, hints: t.hints,
		})
	}
	return tools, notes
}
