package builtin

import (
	"context"
	"fmt"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// notebookTool changes the cells of Jupyter notebooks.
type notebookTool struct {
	base
	files *Files
}

func newNotebookEdit(o Options) *notebookTool {
	return &notebookTool{newBase("NotebookEdit"), o.Files}
}

// Order is Alone: it changes a file.
func (t *notebookTool) Order(*permission.Call) tool.Order { return tool.Alone }

// Run changes the notebook, or says why not.
func (t *notebookTool) Run(ctx context.Context, job tool.Job) tool.Result {
	if ctx.Err() != nil {
		return interrupted()
	}
	result, err := t.edit(ctx, job)
	if err != nil {
		return notDone(err)
	}
	return result
}

func (t *notebookTool) edit(ctx context.Context, job tool.Job) (tool.Result, error) {
	in := arguments(job.Call.Input)
	file, err := judgedPath(job.Call.Path())
	if err != nil {
		return tool.Result{}, err
	}
	t.files.writing.Lock()
	defer t.files.writing.Unlock()
	old, err := openOld(ctx, file, t.files)
	if err != nil {
		return tool.Result{}, err
	}
	defer old.close()
	e := cellEdit{
		mode: in.text("edit_mode"), id: in.text("cell_id"), kind: in.text("cell_type"), source: unixLines(in.text("new_source")),
	}
	text, err := e.apply(old.text)
	if err != nil {
		return tool.Result{}, old.failed(err)
	}
	content := old.encoding.encode(text)
	if len(content) > maxLoad {
		return tool.Result{}, fmt.Errorf("%s: it would grow to %d bytes, more than can be written at once (%d)", plainName(file), len(content), maxLoad)
	}
	if err := old.replace(ctx, content); err != nil {
		return tool.Result{}, err
	}
	t.files.See(Sight{Path: file, Digest: Digest(content), Partial: t.files.partly(file)})
	return tool.Result{
		Text: fmt.Sprintf("%s: cell %s was %s.%s", old.shown(), e.id, e.done(), old.otherNames()), Outcome: tool.Succeeded,
		Data: data(map[string]any{
			"notebook_path": old.shown(), "cell_id": e.id, "cell_type": e.kind, "edit_mode": e.mode, "new_source": e.source, "error": "",
		}),
	}, nil
}
