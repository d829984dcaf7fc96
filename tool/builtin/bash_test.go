//go:build unix

package builtin

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/tool"
)

// nothingLeft fails a test that leaves goroutines, descriptors, or processes that were
// started with the environment it returns.
func nothingLeft(t *testing.T) Options {
	t.Helper()
	r, w, err := os.Pipe() // the first one opens descriptors that stay
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	w.Close()
	runtime.GC()
	goroutines := goleak.IgnoreCurrent()
	before := openFiles(t)
	mark := fmt.Sprintf("ASSENT_TEST_RUN=%d-%s", os.Getpid(), t.Name())
	t.Cleanup(func() {
		goleak.VerifyNone(t, goroutines)
		if now := openFiles(t); now > before {
			t.Errorf("%d descriptors are open, %d were before", now, before)
		}
		// A killed process needs a moment to be gone.
		for end := time.Now().Add(5 * time.Second); len(processesWith(mark)) > 0; {
			if time.Now().After(end) {
				t.Fatalf("processes are left: %v", processesWith(mark))
			}
			runtime.Gosched()
		}
	})
	return Options{Env: []string{mark}}
}

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		t.Skip("this system does not list the descriptors of a process")
	}
	return len(entries)
}

func processesWith(entry string) []string {
	var found []string
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environments {
		env, _ := os.ReadFile(path) // one that has ended has none
		for variable := range bytes.SplitSeq(env, []byte{0}) {
			if string(variable) == entry {
				found = append(found, path)
			}
		}
	}
	return found
}

type bashResult struct {
	Stdout      string `json:"stdout"`
	Stderr      string `json:"stderr"`
	Interrupted bool   `json:"interrupted"`
	IsImage     bool   `json:"isImage"`
	NoOutput    bool   `json:"noOutputExpected"`
}

func bashDataOf(t *testing.T, r tool.Result) bashResult {
	t.Helper()
	var d bashResult
	if err := strictjson.UnmarshalKnown(r.Data, &d); err != nil {
		t.Fatalf("data %s: %v", r.Data, err)
	}
	return d
}

func TestBash(t *testing.T) {
	t.Setenv("FROM_OUTSIDE", "outside")
	for _, tt := range []struct {
		name, command  string
		outcome        tool.Outcome
		text           string
		stdout, stderr string
	}{
		{"output", "echo hello", tool.Succeeded, "hello", "hello", ""},
		{"both outputs", "echo out; echo err >&2", tool.Succeeded, "out\nerr", "out", "err"},
		{"none", "true", tool.Succeeded, "(no output)", "", ""},
		{"an empty line", "echo", tool.Succeeded, "(no output)", "", ""},
		{"only blanks", `printf ' \t \n'`, tool.Succeeded, "(only blanks)", " \t ", ""},
		{"blanks in front", `printf '  a\r\n'`, tool.Succeeded, "  a", "  a", ""},
		{"exit code", "echo out; echo err >&2; exit 3", tool.Failed, "Exit code 3\nout\nerr", "out", "err"},
		{"not found", "no-such-program-here 2>/dev/null", tool.Failed, "Exit code 127", "", ""},
		{"signal", "kill -9 $$", tool.Failed, "ended by signal 9 (SIGKILL)", "", ""},
		{"bash it is", "[[ a == a ]] && x=(1 2) && echo ${x[1]}", tool.Succeeded, "2", "2", ""},
		{"a dash in front is no option", "-x 2>/dev/null; echo ran", tool.Succeeded, "ran", "ran", ""},
		{"stdin is empty", "cat; read x; echo got $x", tool.Succeeded, "got", "got", ""},
		{"environment", "echo $FROM_OUTSIDE $ADDED", tool.Succeeded, "outside added", "outside added", ""},
		{"colours", `printf '\033[1;31mred\033[0m \033]0;title\007x'`, tool.Succeeded, "red x", "red x", ""},
		{"invalid UTF-8", `printf 'a\xffb\0c'`, tool.Succeeded, "a\uFFFDb\uFFFDc", "a\uFFFDb\uFFFDc", ""},
		{"a lone escape", `printf 'a\033'`, tool.Succeeded, "a\uFFFD", "a\uFFFD", ""},
		{"a substitution that ends by itself", "cat <(echo a; exec >&- 2>&-; sleep 0.01)", tool.Succeeded, "a", "a", ""},
		{"last words of a substitution", "exec > >(tee /dev/null); echo heard", tool.Succeeded, "heard", "heard", ""},
		{"a heredoc", "cat <<'E'\nx $y\nE", tool.Succeeded, "x $y", "x $y", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := nothingLeft(t)
			o.Env = append(o.Env, "ADDED=added")
			bash := newBash(o)
			r := bash.Run(t.Context(), jobFor(t, bash, tree(t, nil), input{"command": tt.command}))
			d := bashDataOf(t, r)
			if r.Outcome != tt.outcome || r.Text != tt.text || d.Stdout != tt.stdout || d.Stderr != tt.stderr || d.Interrupted {
				t.Errorf("%v %q %+v", r.Outcome, r.Text, d)
			}
		})
	}
}

func TestBash_Cwd(t *testing.T) {
	dir := tree(t, files{"sub/a": "x"})
	bash := newBash(Options{})
	if got := runTool(t, bash, dir, input{"command": "cd sub; pwd"}); got != filepath.Join(dir, "sub") {
		t.Errorf("in %s", got)
	}
	if got := runTool(t, bash, dir, input{"command": "pwd; echo $PWD"}); got != dir+"\n"+dir {
		t.Errorf("in %s: cd must not last", got)
	}
	job := jobFor(t, bash, dir, input{"command": "pwd"})
	job.Cwd = filepath.Join(dir, "gone")
	if r := bash.Run(t.Context(), job); r.Outcome != tool.Failed || !strings.Contains(r.Text, "working directory") {
		t.Errorf("%v %s", r.Outcome, r.Text)
	}
}

func TestBash_Refused(t *testing.T) {
	bash := newBash(Options{})
	for _, tt := range []struct {
		in    input
		words string
	}{
		{input{"command": "sleep 9", "run_in_background": true}, "not supported"},
		{input{"command": "echo a\x00b"}, "NUL"},
		{input{"command": ": " + strings.Repeat("x", maxCommand)}, "write it into a file"},
	} {
		failTool(t, bash, tree(t, nil), tt.in, tt.words)
	}
	// The longest that is accepted really runs.
	if got := runTool(t, bash, tree(t, nil), input{"command": "echo ok;#" + strings.Repeat("x", maxCommand-9)}); got != "ok" {
		t.Errorf("%q", got)
	}
}

// Whatever the command leaves behind, and however it ends, nothing stays.
func TestBash_EndsTheGroup(t *testing.T) {
	const left = "left processes in the background"
	for _, tt := range []struct {
		name, command string
		timeout       int
		outcome       tool.Outcome
		words         string
	}{
		{"a child that holds the output", "echo hi; sleep 600 &", 0, tool.Succeeded, left},
		{"a child that does not", "sleep 600 >/dev/null 2>&1 & echo hi", 0, tool.Succeeded, left},
		{"a child that ignores signals", "(trap '' TERM HUP INT; sleep 600) & echo hi", 0, tool.Succeeded, left},
		{"a script that leaves one", "bash ./leaves", 0, tool.Succeeded, left},
		{"grandchildren", "bash -c 'bash -c \"sleep 600 & sleep 600\" & sleep 600' & echo hi", 0, tool.Succeeded, left},
		{"too long", "echo hi; sleep 600", 50, tool.Failed, "timed out after 50ms"},
		{"too long, with children", "sleep 600 & sleep 600 & echo hi; wait", 50, tool.Failed, "timed out"},
		{"too long, and it ignores signals", "trap '' TERM HUP INT; echo hi; sleep 600; sleep 600", 50, tool.Failed, "timed out"},
		{"too long, and it floods", "echo hi; yes", 50, tool.Failed, "timed out"},
		{"it stops itself", "echo hi; kill -STOP $$", 50, tool.Failed, "timed out"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bash := newBash(nothingLeft(t))
			in := input{"command": tt.command}
			if tt.timeout > 0 {
				in["timeout"] = tt.timeout
			}
			start := time.Now()
			root := tree(t, files{"leaves": "sleep 600 >/dev/null 2>&1 &\necho hi\n"})
			r := bash.Run(t.Context(), jobFor(t, bash, root, in))
			if r.Outcome != tt.outcome || !strings.Contains(r.Text, tt.words) {
				t.Errorf("%v %.300q", r.Outcome, r.Text)
			}
			if d := bashDataOf(t, r); d.Interrupted != (tt.timeout > 0) || tt.timeout == 0 && d.Stdout != "hi" {
				t.Errorf("%.300v", d)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// A process that has left the group is out of reach, but nobody waits for it.
func TestBash_DoesNotWaitForWhoLeft(t *testing.T) {
	if _, err := os.Stat("/usr/bin/setsid"); err != nil {
		t.Fatal("no setsid: it is part of util-linux")
	}
	dir := tree(t, nil)
	bash := newBash(Options{})
	start := time.Now()
	text := runTool(t, bash, dir, input{"command": "setsid sleep 600 & echo $! >pid; echo hi"})
	if !strings.HasPrefix(text, "hi") || time.Since(start) > 20*time.Second {
		t.Errorf("%q after %v", text, time.Since(start))
	}
	if pid, err := strconv.Atoi(strings.TrimSpace(mustRead(t, filepath.Join(dir, "pid")))); err == nil {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// Nobody is told that a process was ended which goes on.
func TestBash_SaysWhoCouldNotBeEnded(t *testing.T) {
	if _, err := os.Stat("/usr/bin/setsid"); err != nil {
		t.Fatal("no setsid: it is part of util-linux")
	}
	const detach = "setsid sh -c 'echo $$ >pid; exec sleep 600' & while [ ! -s pid ]; do :; done; "
	for _, tt := range []struct {
		name, command string
		timeout       int
	}{
		{"it ends", detach + "echo hi", 0},
		{"too long", detach + "echo hi; sleep 600", 2000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := tree(t, nil)
			bash := newBash(Options{})
			in := input{"command": tt.command}
			if tt.timeout > 0 {
				in["timeout"] = tt.timeout
			}
			r := bash.Run(t.Context(), jobFor(t, bash, dir, in))
			pid, err := strconv.Atoi(strings.TrimSpace(mustRead(t, filepath.Join(dir, "pid"))))
			if err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Errorf("it had ended: %v", err)
			}
			if !strings.Contains(r.Text, "could not be ended") || strings.Contains(r.Text, "were ended") {
				t.Errorf("%q", r.Text)
			}
		})
	}
	if text := newBash(Options{}).Description(); !strings.Contains(text, "setsid") {
		t.Error("the description promises too much")
	}
}

func TestBash_Cancelled(t *testing.T) {
	bash := newBash(nothingLeft(t))
	dir := tree(t, nil)
	if err := syscall.Mkfifo(filepath.Join(dir, "started"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _ = os.ReadFile(filepath.Join(dir, "started"))
		cancel()
	}()
	r := bash.Run(ctx, jobFor(t, bash, dir, input{"command": "echo before; sleep 600 & echo >started; sleep 600"}))
	if r.Outcome != tool.Interrupted || !strings.Contains(r.Text, "before") || !bashDataOf(t, r).Interrupted {
		t.Errorf("%v %q", r.Outcome, r.Text)
	}
	// One that comes too late does not start at all.
	r = bash.Run(ctx, jobFor(t, bash, dir, input{"command": "touch never"}))
	if _, err := os.Stat(filepath.Join(dir, "never")); err == nil || r.Outcome != tool.NothingDone {
		t.Errorf("%v %q", r.Outcome, r.Text)
	}
}

// However much is printed, memory stays bounded and both ends are kept.
func TestBash_Flood(t *testing.T) {
	bash := newBash(nothingLeft(t))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	r := bash.Run(t.Context(), jobFor(t, bash, tree(t, nil), input{"command": "echo FIRST; yes | head -c 200000000; echo LAST"}))
	runtime.ReadMemStats(&after)
	if r.Outcome != tool.Succeeded || !strings.HasPrefix(r.Text, "FIRST\ny\n") || !strings.HasSuffix(r.Text, "y\nLAST") {
		t.Fatalf("%v %.100q", r.Outcome, r.Text)
	}
	if n := len([]rune(r.Text)); n > maxShown+100 || n < maxShown {
		t.Errorf("%d characters are shown", n)
	}
	if !strings.Contains(r.Text, fmt.Sprintf("[... %d bytes are left out here ...]", 200000011-len("\n")-maxShown)) {
		t.Errorf("the note: %.200q", r.Text[maxShown/2-10:])
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 20<<20 {
		t.Errorf("%d bytes were allocated", grown)
	}
}

func TestBash_BothOutputsShareTheLimit(t *testing.T) {
	bash := newBash(Options{})
	for _, tt := range []struct {
		out, err         int
		shownOut, shownE int
	}{
		{100, 200, 100, 200},
		{100, 90000, 100, 29900},
		{90000, 100, 29900, 100},
		{90000, 90000, 15000, 15000},
		{15000, 15000, 15000, 15000},
		{400000, 0, 30000, 0},
	} {
		r := bash.Run(t.Context(), jobFor(t, bash, tree(t, nil), input{
			"command": fmt.Sprintf("printf '%%%ds' | tr ' ' o; printf '%%%ds' | tr ' ' e >&2", tt.out, tt.err),
		}))
		d := bashDataOf(t, r)
		out, errs := strings.Count(d.Stdout, "o")-strings.Count(d.Stdout, "out here"), strings.Count(d.Stderr, "e")
		if tt.err > tt.shownE {
			errs -= strings.Count("[... 1 bytes are left out here ...]", "e")
		}
		if out != tt.shownOut || errs != tt.shownE {
			t.Errorf("%d and %d: shown %d and %d", tt.out, tt.err, out, errs)
		}
	}
}

func TestBash_Order(t *testing.T) {
	bash := newBash(Options{})
	for command, want := range map[string]tool.Order{
		"ls -l | head": tool.Beside, "git status": tool.Beside, "rm x": tool.Alone, "echo x > y": tool.Alone, "$X": tool.Alone, "((": tool.Alone,
	} {
		if got := bash.Order(jobFor(t, bash, "/", input{"command": command}).Call); got != want {
			t.Errorf("%s: %v", command, got)
		}
	}
}

func TestTimeoutOf(t *testing.T) {
	for ms, want := range map[any]time.Duration{
		nil: defaultTimeout, 0.0: defaultTimeout, 0.2: time.Millisecond, 1500.0: 1500 * time.Millisecond, 600000.0: maxTimeout, 1e300: maxTimeout,
	} {
		if got := timeoutOf(map[string]any{"timeout": ms}); got != want {
			t.Errorf("%v: %v", ms, got)
		}
	}
}

// Pieces of any size give the same ends.
func FuzzCapture(f *testing.F) {
	f.Add(3, 100, 7)
	f.Add(keptSize, 5, keptSize+1)
	f.Fuzz(func(t *testing.T, a, b, c int) {
		var all []byte
		var got capture
		for i, n := range []int{a, b, c, a, b} {
			piece := bytes.Repeat([]byte{byte('a' + i), '0', '1'}, min(max(n, 0), 2*keptSize)/3+1)
			all = append(all, piece...)
			got.take(piece)
		}
		o := got.output()
		cut := max(0, len(all)-2*keptSize)
		if o.cut != int64(cut) {
			t.Fatalf("%d of %d bytes are cut", o.cut, len(all))
		}
		if whole := o.head + o.tail; cut == 0 && whole != string(all) ||
			cut > 0 && (o.head != string(all[:keptSize]) || o.tail != string(all[len(all)-keptSize:])) {
			t.Fatal("not the ends")
		}
	})
}

func mustRead(t testing.TB, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
