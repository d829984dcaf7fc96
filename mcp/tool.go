package mcp

import (
	"context"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// remoteTool is a tool of a server. Any object is an input: the server knows better than
// we what it takes, and says so.
type remoteTool struct {
	tool.Named
	server      *server
	remote      string // its name at the server
	description string
	schema      strictjson.Raw
	hints       ToolInfo // what the server says it does
}

var _ tool.Runner = (*remoteTool)(nil)

// Description is the server's.
func (t *remoteTool) Description() string { return t.description }

// Schema is the server's.
func (t *remoteTool) Schema() []byte { return t.schema }

// Order is Alone: a server's word that a tool only reads is not enough.
func (t *remoteTool) Order(*permission.Call) tool.Order { return tool.Alone }

// Run calls the tool at its server.
func (t *remoteTool) Run(ctx context.Context, job tool.Job) tool.Result {
	if _, err := t.Decode(job.Input); err != nil {
		return tool.Fail(err.Error())
	}
	return t.server.call(ctx, t.remote, job)
}
