//go:build unix

package builtin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/tool"
)

type readResult struct {
	Type string `json:"type"`
	File struct {
		Path    string `json:"filePath"`
		Content string `json:"content"`
		Lines   int    `json:"numLines"`
		Start   int    `json:"startLine"`
		Total   int    `json:"totalLines"`
	} `json:"file"`
}

func TestRead(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	for _, tt := range []struct {
		name, content string
		in            input
		want          string
		shown         string
		total         int
	}{
		{"lines", "one\ntwo\n", nil, "     1\tone\n     2\ttwo\n", "one\ntwo", 2},
		{"no final line break", "one\ntwo", nil, "     1\tone\n     2\ttwo\n", "one\ntwo", 2},
		{"blank lines", "\n\n", nil, "     1\t\n     2\t\n", "\n", 2},
		{"empty", "", nil, "(the file is empty)", "", 0},
		{"CRLF", "one\r\ntwo\r\n", nil, "     1\tone\n     2\ttwo\n", "one\ntwo", 2},
		{"a lone CR stays", "a\rb\n", nil, "     1\ta\rb\n", "a\rb", 1},
		{"UTF-8 with a mark", "\xef\xbb\xbfone\n", nil, "     1\tone\n", "one", 1},
		{"UTF-16 LE", "\xff\xfea\x00\n\x00\x3d\xd8\x00\xde", nil, "     1\ta\n     2\t\U0001F600\n", "a\n\U0001F600", 2},
		{"UTF-16 BE", "\xfe\xff\x00a\x00\r\x00\n\x00b", nil, "     1\ta\n     2\tb\n", "a\nb", 2},
		{"offset", "1\n2\n3\n4\n", input{"offset": 3}, "     3\t3\n     4\t4\n", "3\n4", 4},
		{"offset 0 is the beginning", "1\n2\n", input{"offset": 0, "limit": 1}, "     1\t1\n\n[lines 1 to 1 of 2; go on with offset 2]\n", "1", 2},
		{"limit", "1\n2\n3\n4\n", input{"offset": 2, "limit": 2}, "     2\t2\n     3\t3\n\n[lines 2 to 3 of 4; go on with offset 4]\n", "2\n3", 4},
		{"a long line that fits", long + "\n", nil, "     1\t" + long + "\n", long, 1},
		{"a long line of wide characters", strings.Repeat("ä", maxLine) + "\r\n", nil, "     1\t" + strings.Repeat("ä", maxLine) + "\n", strings.Repeat("ä", maxLine), 1},
		{"a line that is too long", long + "y\nz", nil, "     1\t" + long + " [cut: the line has 2001 bytes]\n     2\tz\n", long + " [cut: the line has 2001 bytes]\nz", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := tree(t, files{"f": tt.content})
			box := newToolbox()
			in := input{"file_path": "f"}
			for k, v := range tt.in {
				in[k] = v
			}
			r := box.read.Run(t.Context(), jobFor(t, box.read, root, in))
			if r.Outcome != tool.Succeeded || r.Text != tt.want {
				t.Errorf("%v %q", r.Outcome, r.Text)
			}
			var d readResult
			if err := strictjson.UnmarshalKnown(r.Data, &d); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(root, "f")
			if d.Type != "text" || d.File.Path != path || d.File.Content != tt.shown || d.File.Total != tt.total {
				t.Errorf("%+v", d)
			}
			if box.files.Check(path, Digest([]byte(tt.content))) != Current {
				t.Error("it was not remembered")
			}
		})
	}
}

func TestRead_Refused(t *testing.T) {
	root := tree(t, files{
		"dir/":   "",
		"elf":    "\x7fELF\x02\x01\x00\x00",
		"latin1": "caf\xe9\n", "nul": "a\x00b", "half": "\xff\xfea", "surrogate": "\xff\xfe\x00\xd8a\x00", "utf32": "\xff\xfe\x00\x00a\x00\x00\x00",
		"late": strings.Repeat("x\n", 40_000) + "\xff",
		"pdf":  "%PDF-1.7\n", "large": strings.Repeat("x\n", maxText/2+1), "three": "1\n2\n3\n",
		"book.ipynb": `{"cells":[],"cells":[]}`, "image": "\x89PNG\r\n\x1a\n" + strings.Repeat("x", maxImage),
	})
	if err := syscall.Mkfifo(filepath.Join(root, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	huge, err := os.Create(filepath.Join(root, "huge"))
	if err != nil {
		t.Fatal(err)
	}
	defer huge.Close()
	if err := huge.Truncate(1 << 40); err != nil {
		t.Skip(err)
	}
	box := newToolbox()
	for _, tt := range []struct {
		in    input
		words string
	}{
		{input{"file_path": "none"}, "file does not exist. Find the file with Glob"},
		{input{"file_path": "none/x"}, "file does not exist"},
		{input{"file_path": "elf/x"}, "not a directory"},
		{input{"file_path": "dir"}, "it is a directory"},
		{input{"file_path": "/"}, "/ is a directory"},
		{input{"file_path": "pipe"}, "it is a pipe"},
		{input{"file_path": "/dev/zero"}, "it is a device"},
		{input{"file_path": "/dev/null"}, "it is a device"},
		{input{"file_path": "elf"}, "not text"},
		{input{"file_path": "latin1"}, "iconv"},
		{input{"file_path": "nul"}, "not text"},
		{input{"file_path": "half"}, "not text"},
		{input{"file_path": "surrogate"}, "not text"},
		{input{"file_path": "utf32"}, "not text"},
		{input{"file_path": "late", "limit": 1}, "not text"},
		{input{"file_path": "pdf"}, "PDF"},
		{input{"file_path": "large"}, "offset and limit"},
		{input{"file_path": "huge", "limit": 1}, "more than can be read"},
		{input{"file_path": "three", "offset": 4}, "it has 3 lines; line 4 is beyond its end"},
		{input{"file_path": "book.ipynb"}, "occurs twice"},
		{input{"file_path": "image"}, "more than can be shown"},
		{input{"file_path": "a\nb"}, "control character"},
	} {
		failTool(t, box.read, root, tt.in, tt.words)
	}
	if seen := box.files.All(); len(seen) != 0 {
		t.Errorf("it remembers %v", seen)
	}
	wantInterrupted(t, box.read, jobFor(t, box.read, root, input{"file_path": "three"}))
}

// Kernel files tell no size, and some have no end.
func TestRead_KernelFiles(t *testing.T) {
	if _, err := os.Stat("/proc/version"); err != nil {
		t.Skip("no such files here")
	}
	box := newToolbox()
	if got := runTool(t, box.read, "/", input{"file_path": "/proc/version"}); !strings.HasPrefix(got, "     1\tLinux") {
		t.Errorf("%q", got)
	}
}

func TestRead_PartOfALargeFile(t *testing.T) {
	var content strings.Builder
	for i := range 100_000 { // more than maxLoad, the most that is taken into memory
		fmt.Fprintf(&content, "%d%s\n", i+1, strings.Repeat(" ", 200))
	}
	root := tree(t, files{"f": content.String()})
	sum := sha256.Sum256([]byte(content.String()))
	content.Reset()
	box := newToolbox()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := runTool(t, box.read, root, input{"file_path": "f", "offset": 75_000, "limit": 2})
	runtime.ReadMemStats(&after)
	blanks := strings.Repeat(" ", 200)
	if want := " 75000\t75000" + blanks + "\n 75001\t75001" + blanks + "\n\n[lines 75000 to 75001 of 100000; go on with offset 75002]\n"; got != want {
		t.Errorf("%q", got)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 {
		t.Errorf("%d bytes were allocated", grown)
	}
	want := Sight{Path: filepath.Join(root, "f"), Digest: hex.EncodeToString(sum[:]), Partial: true}
	if seen := box.files.All(); len(seen) != 1 || seen[0] != want {
		t.Errorf("%+v", seen)
	}
	// A limit beyond what is shown at once does not help.
	if got := runTool(t, box.read, root, input{"file_path": "f", "limit": 1_000_000}); len(got) > maxText+10*maxLines || !strings.Contains(got, "go on with offset") {
		t.Errorf("%d bytes are shown", len(got))
	}
}

// Characters are found whole, wherever the blocks of a file end.
func TestRead_BlockBorders(t *testing.T) {
	for shift := range 5 {
		line := strings.Repeat("x", shift) + strings.Repeat("€", 30_000)
		root := tree(t, files{"f": line + "\n" + line})
		box := newToolbox()
		got := runTool(t, box.read, root, input{"file_path": "f"})
		if strings.Contains(got, "\uFFFD") || strings.Count(got, "€") != 2*(maxLine-shift) {
			t.Errorf("shift %d: %.100q", shift, got)
		}
	}
}

func TestRead_Image(t *testing.T) {
	for kind, content := range map[string]string{
		"image/png": "\x89PNG\r\n\x1a\nrest", "image/jpeg": "\xff\xd8\xff\xe0rest", "image/gif": "GIF89arest", "image/webp": "RIFF1234WEBPrest",
	} {
		root := tree(t, files{"f": content})
		box := newToolbox()
		r := box.read.Run(t.Context(), jobFor(t, box.read, root, input{"file_path": "f"}))
		var block struct {
			Type   string `json:"type"`
			Source struct {
				Type string `json:"type"`
				Kind string `json:"media_type"`
				Data []byte `json:"data"`
			} `json:"source"`
		}
		if r.Outcome != tool.Succeeded || len(r.Blocks) != 1 || strictjson.UnmarshalKnown(r.Blocks[0], &block) != nil {
			t.Fatalf("%s: %+v", kind, r)
		}
		if block.Type != "image" || block.Source.Type != "base64" || block.Source.Kind != kind || string(block.Source.Data) != content {
			t.Errorf("%s: %+v", kind, block)
		}
	}
}

// A link that was judged is followed; one that came since is not.
func TestRead_Links(t *testing.T) {
	root := tree(t, files{"real/f": "inside\n", "link": "->real", "other/f": "outside\n", "l": "->real/f"})
	box := newToolbox()
	for _, path := range []string{"link/f", "l"} {
		if got := runTool(t, box.read, root, input{"file_path": path}); got != "     1\tinside\n" {
			t.Errorf("%s: %q", path, got)
		}
	}
	job := jobFor(t, box.read, root, input{"file_path": "link/f"})
	swap(t, root, "real", "other")
	if r := box.read.Run(context.Background(), job); r.Outcome != tool.Failed || !strings.Contains(r.Text, "symbolic link") || strings.Contains(r.Text, "outside") {
		t.Errorf("%v %q", r.Outcome, r.Text)
	}
	job = jobFor(t, box.read, root, input{"file_path": "other/f"})
	if err := os.Rename(filepath.Join(root, "other", "f"), filepath.Join(root, "other", "g")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("g", filepath.Join(root, "other", "f")); err != nil {
		t.Fatal(err)
	}
	if r := box.read.Run(context.Background(), job); r.Outcome != tool.Failed || !strings.Contains(r.Text, "symbolic link") {
		t.Errorf("%v %q", r.Outcome, r.Text)
	}
}

// swap puts a link to another directory where one is.
func swap(t *testing.T, root, dir, other string) {
	t.Helper()
	if err := os.Rename(filepath.Join(root, dir), filepath.Join(root, dir+".away")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, filepath.Join(root, dir)); err != nil {
		t.Fatal(err)
	}
}

func FuzzEncoding(f *testing.F) {
	for _, seed := range []string{"", "a\r\nb", "\xef\xbb\xbfx", "\xff\xfea\x00", "\xfe\xff\x00a", "\xff\xfe\x00\xd8\x00\xdc", "\xff", "\xff\xfe\xff\xfe"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		text, e, err := decode(content)
		if err != nil {
			return
		}
		if string(e.encode(text)) != string(content) {
			t.Fatalf("%q came back as %q", content, e.encode(text))
		}
	})
}

// Grep is only named where it helps.
func TestRead_HintForLargeFiles(t *testing.T) {
	root := tree(t, nil)
	for size, grep := range map[int64]bool{maxRead + 1: false, mostFile + 1: false, mostFile: true, maxText + 1: true} {
		f, err := os.Create(root + "/f")
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Truncate(size); err != nil {
			t.Skip(err)
		}
		f.Close()
		box := newToolbox()
		r := box.read.Run(t.Context(), jobFor(t, box.read, root, input{"file_path": "f"}))
		if r.Outcome != tool.Failed || strings.Contains(r.Text, "Grep") != grep || size > maxRead && !strings.Contains(r.Text, "sed -n") {
			t.Errorf("%d bytes: %q", size, r.Text)
		}
	}
}

// A file that seems to be a plain one and has nothing to say does not hold up a reader.
func TestRead_NothingToSay(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	began := time.Now()
	defer limitWait(t.Context(), r)()
	_, err = newToolbox().read.show(t.Context(), r, state{}, "/proc/x", arguments{})
	if err == nil || !strings.Contains(waited(err).Error(), "has nothing to say") || time.Since(began) > 20*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}
