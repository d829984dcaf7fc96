package builtin

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/tool"
)

// exchange swaps two names all the time, in one step, until the test stops it.
func exchange(t *testing.T, wg *sync.WaitGroup, stop chan struct{}, a, b string) {
	t.Helper()
	if err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE); err != nil {
		t.Skip("this file system cannot exchange names")
	}
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				_ = unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
			}
		}
	})
}

// A name can be any bytes, and what is said about a file is text: it goes into a
// transcript, to hooks and to the model. The name is quoted, and the work is done.
func TestNamesThatAreNoText(t *testing.T) {
	const name = "\xff\u202e.txt"
	root := tree(t, files{name: "one\n", "link": "->" + name, "b\xffook.ipynb": book, "book": "->b\xffook.ipynb", "dangling": "->new\xff", "d\xff/": "", "way": "->d\xff"})
	box := newToolbox()
	var kept []Sight
	box.files.Saw = func(s Sight) { kept = append(kept, s) }
	for _, call := range []struct {
		runner  tool.Runner
		in      input
		outcome tool.Outcome
	}{
		{box.edit, input{"file_path": "link", "old_string": "one", "new_string": "two"}, tool.Failed}, // it was not read
		{box.read, input{"file_path": "link"}, tool.Succeeded},
		{box.edit, input{"file_path": "link", "old_string": "none", "new_string": "two"}, tool.Failed},
		{box.edit, input{"file_path": "link", "old_string": "one", "new_string": "two"}, tool.Succeeded},
		{box.edit, input{"file_path": "link", "old_string": "one", "new_string": "one"}, tool.Failed},
		{box.edit, input{"file_path": "dangling", "old_string": "", "new_string": "one"}, tool.Failed},
		{box.write, input{"file_path": "link", "content": "three\n"}, tool.Succeeded},
		{box.write, input{"file_path": "link", "content": "three\n"}, tool.Succeeded},
		{box.write, input{"file_path": "dangling", "content": "new\n"}, tool.Succeeded},
		{box.read, input{"file_path": "way/none"}, tool.Failed},
		{box.read, input{"file_path": "way"}, tool.Failed},
		{newGlob(Options{}), input{"pattern": "*", "path": "way/none"}, tool.Failed},
		{box.read, input{"file_path": "book"}, tool.Succeeded},
		{box.notebook, input{"notebook_path": root + "/book", "cell_id": "calc", "new_source": "x"}, tool.Succeeded},
	} {
		r := call.runner.Run(t.Context(), jobFor(t, call.runner, root, call.in))
		if r.Outcome != call.outcome || !utf8.ValidString(r.Text) {
			t.Errorf("%s %v: %v %q", call.runner.Name(), call.in, r.Outcome, r.Text)
		}
		if r.Outcome == tool.Succeeded && strictjson.Valid(r.Data) != nil {
			t.Errorf("%s %v: programs get %q", call.runner.Name(), call.in, r.Data)
		}
	}
	if got := mustRead(t, filepath.Join(root, name)); got != "three\n" {
		t.Errorf("the file holds %q", got)
	}
	text, err := strictjson.Marshal(kept)
	if err != nil || len(kept) == 0 {
		t.Fatalf("%+v cannot be kept: %v", kept, err)
	}
	// A session that goes on knows the file.
	resumed := newToolbox()
	var sights []Sight
	if err := strictjson.Unmarshal(text, &sights); err != nil {
		t.Fatal(err)
	}
	resumed.files.Restore(sights)
	runTool(t, resumed.edit, root, input{"file_path": "link", "old_string": "three", "new_string": "four"})
}

// A file that nobody can ask about is left out, and no rule is blamed for it.
func TestSearch_NamesThatAreNoText(t *testing.T) {
	root := tree(t, files{"\xfe.txt": "needle\n", "d\xff/a.txt": "needle\n", "denied.txt": "needle\n", "fine.txt": "needle\n"})
	for _, runner := range []tool.Runner{newGrep(Options{}), newGlob(Options{})} {
		in := input{"pattern": "needle"}
		if runner.Name() == "Glob" {
			in = input{"pattern": "**/*.txt"}
		}
		job := jobFor(t, runner, root, in)
		job.MayRead = func(path string) bool {
			if !utf8.ValidString(path) {
				t.Errorf("%s asks about %q", runner.Name(), path)
			}
			return path != filepath.Join(root, "denied.txt")
		}
		text := runner.Run(t.Context(), job).Text
		if !strings.Contains(text, "fine.txt") || !strings.Contains(text, "1 name was left out: a rule denies") || !strings.Contains(text, "2 names were left out: they are no UTF-8 text") {
			t.Errorf("%s: %s", runner.Name(), text)
		}
	}
}

// Somebody exchanges directories, files and links while files are read, created and
// changed. Whatever was judged to be inside never reads or writes what is outside.
func TestRaceWithLinks(t *testing.T) {
	root := tree(t, files{"in/dir/f": "inside\n", "in/f": "inside\n", "out/dir/f": "secret\n", "out/f": "secret\n"})
	in, out := filepath.Join(root, "in"), filepath.Join(root, "out")
	for link, target := range map[string]string{"d2": "dir", "f2": "f"} {
		if err := os.Symlink(filepath.Join(out, target), filepath.Join(in, link)); err != nil {
			t.Fatal(err)
		}
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	exchange(t, &wg, stop, filepath.Join(in, "dir"), filepath.Join(in, "d2"))
	exchange(t, &wg, stop, filepath.Join(in, "f"), filepath.Join(in, "f2"))
	done, refused := 0, 0
	box := newToolbox()
	for i := range 800 {
		runner, args := tool.Runner(box.read), input{"file_path": "dir/f"}
		switch i % 4 {
		case 1:
			args = input{"file_path": "f"}
		case 2:
			runner, args = box.write, input{"file_path": fmt.Sprintf("dir/new%d", i), "content": "mine\n"}
		case 3:
			runner, args = box.edit, input{"file_path": "f", "old_string": "inside", "new_string": "inside and mine"}
		}
		job := jobFor(t, runner, in, args)
		if real := job.Call.Path().Real; !strings.HasPrefix(real, in+"/") {
			continue // judged while the link was there: that is another call
		}
		switch r := runner.Run(t.Context(), job); {
		case strings.Contains(r.Text, "secret"):
			t.Fatalf("%s %v: %s", runner.Name(), args, r.Text)
		case r.Outcome == tool.Succeeded:
			done++
		case strings.Contains(r.Text, "symbolic link"):
			refused++
		}
	}
	close(stop)
	wg.Wait()
	if got := fmt.Sprint(names(t, filepath.Join(out, "dir")), names(t, out)); got != "[f] [dir f]" {
		t.Errorf("outside there is %s", got)
	}
	if mustRead(t, filepath.Join(out, "f")) != "secret\n" || mustRead(t, filepath.Join(out, "dir", "f")) != "secret\n" {
		t.Error("a file outside has changed")
	}
	if done == 0 || refused == 0 {
		t.Errorf("%d calls were done and %d refused: the test shows nothing", done, refused)
	}
}
