package builtin

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

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
