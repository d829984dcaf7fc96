package mcp

import (
	"context"
	"errors"
	"fmt"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/tool"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// What one server may offer. Beyond it a model request would be of no use to anybody.
const (
	maxTools       = 10_000
	maxPages       = 1_000
	maxSchema      = 256 << 10
	maxDescription = 16 << 10
	maxNotes       = 20
)

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
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tools, s.notes = tools, notes
	return nil
}

func listAll(ctx context.Context, session *sdk.ClientSession) (tools []*sdk.Tool, notes []string, err error) {
	caps := session.InitializeResult().Capabilities
	params := &sdk.ListToolsParams{}
	for range maxPages {
		page, err := session.ListTools(ctx, params)
		if wire, ok := errors.AsType[*jsonrpc.Error](err); ok && wire.Code == jsonrpc.CodeMethodNotFound && (caps == nil || caps.Tools == nil) {
			return nil, nil, nil // a server without tools
		}
		if err != nil {
			return nil, nil, err
		}
		tools = append(tools, page.Tools...)
		if len(tools) > maxTools {
			return tools[:maxTools], []string{fmt.Sprintf("it lists more than %d tools; the rest is left out", maxTools)}, nil
		}
		if page.NextCursor == "" {
			return tools, nil, nil
		}
		params.Cursor = page.NextCursor
	}
	return tools, []string{fmt.Sprintf("its list of tools has more than %d pages; the rest is left out", maxPages)}, nil
}

// adopt makes tools of ours of what a server lists.
func (s *server) adopt(found []*sdk.Tool) (tools []*remoteTool, notes []string) {
	given := make([]string, len(found))
	for i, t := range found {
		given[i] = t.Name
	}
	names, notes := named(s.config.Name, given)
	for i, t := range found {
		if names[i] == "" {
			continue
		}
		schema, err := schemaOf(t)
		if err != nil {
			notes = append(notes, fmt.Sprintf("the tool %s is left out: %v", quoted(t.Name), err))
			continue
		}
		tools = append(tools, &remoteTool{
			Named: tool.Named(names[i]), server: s, remote: t.Name, schema: schema,
			description: cut(valid(t.Description), maxDescription, "…"),
		})
	}
	return tools, notes
}

// schemaOf is the schema of a tool's input. A model request with one schema that is none
// of an object is refused as a whole.
func schemaOf(t *sdk.Tool) (strictjson.Raw, error) {
	object, ok := t.InputSchema.(map[string]any)
	if !ok {
		return nil, errors.New("the schema of its input is no object")
	}
	switch object["type"] {
	case "object":
	case nil:
		object["type"] = "object"
	default:
		return nil, errors.New("its input is no object")
	}
	schema, err := strictjson.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("the schema of its input: %w", err)
	}
	if len(schema) > maxSchema {
		return nil, fmt.Errorf("the schema of its input has %d bytes, more than %d", len(schema), maxSchema)
	}
	return schema, nil
}
