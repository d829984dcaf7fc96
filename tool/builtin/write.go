package builtin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// writeTool writes whole files.
type writeTool struct {
	base
	files *Files
}

func newWrite(o Options) *writeTool { return &writeTool{newBase("Write"), o.Files} }

// Order is Alone: it changes a file.
func (t *writeTool) Order(*permission.Call) tool.Order { return tool.Alone }

// Run writes the file, or says why not.
func (t *writeTool) Run(ctx context.Context, job tool.Job) tool.Result {
	if ctx.Err() != nil {
		return interrupted()
	}
	result, err := t.write(ctx, job)
	if err != nil {
		return notDone(err)
	}
	return result
}

// notDone is for a change that was not made.
func notDone(err error) tool.Result {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return tool.Result{Text: "It was interrupted; nothing was changed.", Outcome: tool.NothingDone}
	case errors.Is(err, fs.ErrNotExist):
		return tool.Fail(err.Error() + ". " + hintMissing)
	}
	return tool.Fail(err.Error())
}

func (t *writeTool) write(ctx context.Context, job tool.Job) (tool.Result, error) {
	in := arguments(job.Call.Input)
	content := in.text("content")
	if given := in.text("file_path"); strings.HasSuffix(given, "/") || strings.HasSuffix(given, "/.") {
		return tool.Result{}, fmt.Errorf("%s names a directory: give the name of the file, too; missing directories are created with it", given)
	}
	file, err := judgedPath(job.Call.Path())
	if err != nil {
		return tool.Result{}, err
	}
	if len(content) > maxLoad {
		return tool.Result{}, fmt.Errorf("%s: the content has %d bytes, more than can be written at once (%d); write it in parts with Bash", plainName(file), len(content), maxLoad)
	}
	t.files.writing.Lock()
	defer t.files.writing.Unlock()
	old, err := openOld(ctx, file, t.files)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t.create(ctx, file, content)
	case err != nil:
		return tool.Result{}, err
	}
	defer old.close()
	if t.files.partly(file) {
		return tool.Result{}, old.failed(errPartly)
	}
	return t.replace(ctx, old, content)
}

func (t *writeTool) create(ctx context.Context, file, content string) (tool.Result, error) {
	p, err := findPlace(file, makeThem)
	if err != nil {
		return tool.Result{}, err
	}
	defer p.close()
	if err := p.create(ctx, []byte(content)); err != nil {
		return tool.Result{}, err
	}
	t.files.See(Sight{Path: file, Digest: Digest([]byte(content))})
	return tool.Result{
		Text: fmt.Sprintf("%s was created (%s).", p.shown(), lineCount(content)), Outcome: tool.Succeeded,
		Data: writeData("create", p.shown(), content, nil),
	}, nil
}

func (t *writeTool) replace(ctx context.Context, old *oldFile, content string) (tool.Result, error) {
	if old.encoding != asUTF8 {
		content = strings.TrimPrefix(content, "\ufeff") // the file has its mark
	}
	content = withEndings(content, usesCRLF(old.text))
	encoded := old.encoding.encode(content)
	if bytes.Equal(encoded, old.content) {
		return tool.Result{
			Text: old.shown() + " has this content already; nothing was changed.", Outcome: tool.Succeeded,
			Data: writeData("update", old.shown(), content, nil),
		}, nil
	}
	if err := old.replace(ctx, encoded); err != nil {
		return tool.Result{}, err
	}
	t.files.See(Sight{Path: old.path, Digest: Digest(encoded)})
	return tool.Result{
		Text: fmt.Sprintf("%s was replaced (%s).%s", old.shown(), lineCount(content), old.otherNames()), Outcome: tool.Succeeded,
		Data: writeData("update", old.shown(), content, patch(old.text, content)),
	}, nil
}

func writeData(kind, file, content string, hunks []hunk) []byte {
	return data(struct {
		Type    string `json:"type"`
		Path    string `json:"filePath"`
		Content string `json:"content"`
		Patch   []hunk `json:"structuredPatch"`
	}{kind, file, content, hunks})
}

func lineCount(text string) string {
	switch n := len(splitLines(text)); n {
	case 0:
		return "empty"
	case 1:
		return "1 line"
	default:
		return fmt.Sprintf("%d lines", n)
	}
}
