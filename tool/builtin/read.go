package builtin

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

const (
	// maxLines is how many lines are shown unless the call says otherwise.
	maxLines = 2000
	// maxLine is how many characters are shown of one line.
	maxLine = 2000
	// maxText is how many bytes of a file are shown at once.
	maxText = 256 << 10
	// maxRead is the largest file of which a part is shown.
	maxRead = 64 << 20
	// maxLoad is the largest file that is taken into memory as a whole: to change it,
	// or because its form demands it.
	maxLoad = 16 << 20
	// maxImage is the largest image that a model takes.
	maxImage = 3_750_000
)

// readTool shows files.
type readTool struct {
	base
	files *Files
}

func newRead(o Options) *readTool { return &readTool{newBase("Read"), o.Files} }

// Order is Beside: it only reads.
func (t *readTool) Order(*permission.Call) tool.Order { return tool.Beside }

// Run shows the file, or says why not.
func (t *readTool) Run(ctx context.Context, job tool.Job) tool.Result {
	if ctx.Err() != nil {
		return interrupted()
	}
	result, err := t.read(ctx, job)
	switch {
	case ctx.Err() != nil && err != nil:
		return tool.Result{Text: "The reading was interrupted.", Outcome: tool.NothingDone}
	case errors.Is(err, fs.ErrNotExist):
		return tool.Fail(err.Error() + ". " + hintMissing)
	case err != nil:
		return tool.Fail(err.Error())
	}
	return result
}

const hintMissing = "Find the file with Glob, and mind that paths start at the working directory unless they begin with /."

func (t *readTool) read(ctx context.Context, job tool.Job) (tool.Result, error) {
	file, err := judgedPath(job.Call.Path())
	if err != nil {
		return tool.Result{}, err
	}
	p, err := findPlace(file, mustExist)
	if err != nil {
		return tool.Result{}, err
	}
	defer p.close()
	f, state, err := p.open()
	if err != nil {
		return tool.Result{}, err
	}
	defer f.Close()
	defer limitWait(ctx, f)()
	result, err := t.show(ctx, f, state, p.path, arguments(job.Call.Input))
	if err != nil {
		return tool.Result{}, p.failed(waited(err))
	}
	return result, nil
}

// show chooses the way to show a file by its first bytes, whatever its name says.
func (t *readTool) show(ctx context.Context, f *os.File, s state, name string, in arguments) (tool.Result, error) {
	start := make([]byte, 512)
	n, err := io.ReadFull(f, start)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return tool.Result{}, err
	}
	start = start[:n]
	rest := &contextReader{ctx: ctx, r: io.MultiReader(strings.NewReader(string(start)), f)}
	ranged := in.has("offset") || in.has("limit")
	switch kind := imageKind(start); {
	case kind != "":
		return t.showImage(rest, s, name, kind)
	case strings.HasPrefix(string(start), "%PDF-"):
		return tool.Result{}, errors.New("it is a PDF file, which cannot be shown here; make text of it with Bash (pdftotext FILE -)")
	case path.Ext(name) == ".ipynb" && !ranged:
		return t.showNotebook(ctx, rest, name)
	}
	return t.showText(rest, s, name, in)
}

// contextReader ends with its context.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (r *contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// load reads all of a file that may be so large.
func load(r io.Reader, most int) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err == nil && len(content) > most {
		err = fmt.Errorf("it is larger than %d bytes", most)
	}
	return content, err
}

// imageKind is the media type of an image that models can see, or "".
func imageKind(start []byte) string {
	switch s := string(start); {
	case strings.HasPrefix(s, "\x89PNG\r\n\x1a\n"):
		return "image/png"
	case strings.HasPrefix(s, "\xff\xd8\xff"):
		return "image/jpeg"
	case strings.HasPrefix(s, "GIF87a"), strings.HasPrefix(s, "GIF89a"):
		return "image/gif"
	case len(s) >= 12 && s[:4] == "RIFF" && s[8:12] == "WEBP":
		return "image/webp"
	}
	return ""
}

func (t *readTool) showImage(r io.Reader, s state, name, kind string) (tool.Result, error) {
	if s.size > maxImage {
		return tool.Result{}, fmt.Errorf("it is an image (%s) of %d bytes, more than can be shown (%d); make it smaller first", kind, s.size, maxImage)
	}
	content, err := load(r, maxImage)
	if err != nil {
		return tool.Result{}, err
	}
	encoded := base64.StdEncoding.EncodeToString(content)
	t.files.See(Sight{Path: name, Digest: Digest(content)})
	source := map[string]any{"type": "base64", "media_type": kind, "data": encoded}
	return tool.Result{
		Text:    fmt.Sprintf("%s: an image (%s, %d bytes)", plainName(name), kind, len(content)),
		Blocks:  []strictjson.Raw{data(map[string]any{"type": "image", "source": source})},
		Data:    data(map[string]any{"type": "image", "file": map[string]any{"base64": encoded, "type": kind, "originalSize": len(content)}}),
		Outcome: tool.Succeeded,
	}, nil
}
