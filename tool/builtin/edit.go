package builtin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// editTool replaces text in files.
type editTool struct {
	base
	files *Files
}

func newEdit(o Options) *editTool { return &editTool{newBase("Edit"), o.Files} }

// Order is Alone: it changes a file.
func (t *editTool) Order(*permission.Call) tool.Order { return tool.Alone }

// Run changes the file, or says why not.
func (t *editTool) Run(ctx context.Context, job tool.Job) tool.Result {
	if ctx.Err() != nil {
		return interrupted()
	}
	result, err := t.edit(ctx, job)
	if err != nil {
		return notDone(err)
	}
	return result
}

// change is what an edit asks for.
type change struct {
	old, new string
	all      bool
}

func (t *editTool) edit(ctx context.Context, job tool.Job) (tool.Result, error) {
	in := arguments(job.Call.Input)
	c := change{old: unixLines(in.text("old_string")), new: unixLines(in.text("new_string")), all: in.flag("replace_all", false)}
	file, err := judgedPath(job.Call.Path())
	if err != nil {
		return tool.Result{}, err
	}
	switch {
	case c.old == c.new && in.text("old_string") != in.text("new_string"):
		return tool.Result{}, fmt.Errorf("%s: old_string and new_string differ only in their line endings, which Edit keeps as they are; change them with Bash", plainName(file))
	case c.old == c.new:
		return tool.Result{}, fmt.Errorf("%s: old_string and new_string are the same; there is nothing to change", plainName(file))
	}
	t.files.writing.Lock()
	defer t.files.writing.Unlock()
	old, err := openOld(ctx, file, t.files)
	if errors.Is(err, fs.ErrNotExist) && c.old == "" {
		return tool.Result{}, fmt.Errorf("%s does not exist; create it with Write", plainName(file))
	}
	if err != nil {
		return tool.Result{}, err
	}
	defer old.close()
	return t.apply(ctx, old, c, in)
}

func (t *editTool) apply(ctx context.Context, old *oldFile, c change, in arguments) (tool.Result, error) {
	text, at, err := c.apply(old.text)
	if err != nil {
		return tool.Result{}, old.failed(err)
	}
	content := old.encoding.encode(text)
	if err := old.replace(ctx, content); err != nil {
		return tool.Result{}, err
	}
	t.files.See(Sight{Path: old.path, Digest: Digest(content), Partial: t.files.partly(old.path)})
	return tool.Result{
		Text: fmt.Sprintf("%s was changed on %v.%s%s", old.shown(), at, old.otherNames(), snippet(text, at, c.new)), Outcome: tool.Succeeded,
		Data: data(struct {
			Path     string  `json:"filePath"`
			Old      string  `json:"oldString"`
			New      string  `json:"newString"`
			Original *string `json:"originalFile"`
			Patch    []hunk  `json:"structuredPatch"`
			Modified bool    `json:"userModified"`
			All      bool    `json:"replaceAll"`
		}{old.shown(), in.text("old_string"), in.text("new_string"), original(old.text), patch(old.text, text), false, c.all}),
	}, nil
}

// original is the text before the change, for programs that show it, unless it is long.
func original(text string) *string {
	if len(text) > maxText {
		return nil
	}
	return &text
}
