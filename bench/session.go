package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// sessionFigures are what a whole session costs: the process starts, asks the model,
// runs the one command that it wants, tells it the result, and ends.
type sessionFigures struct {
	what    string
	seconds float64 // median
	peak    int64   // bytes, the most of all runs
	err     error   // why there are no figures
}

// contestant is a program that is run again and again.
type contestant struct {
	what    string
	command []string
	took    []time.Duration
	peak    int64
	err     error
}

// compareSessions runs sessions in turn with a program that does nothing.
func compareSessions(runs int, vendor vendorChoice, progress io.Writer) ([]sessionFigures, error) {
	dir, err := os.MkdirTemp("", "assent-bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for name, source := range map[string]string{"bare": "./bare", "peak": "./peak", "assent": "../cmd/assent"} {
		if err := buildFor(dir, name, source); err != nil {
			return nil, err
		}
	}
	api, err := startModel()
	if err != nil {
		return nil, err
	}
	defer api.close()
	task := []string{"-p", "say hello", "--allowedTools", "Bash(echo:*)"}
	all := []*contestant{
		{what: "a bare Go program", command: []string{filepath.Join(dir, "bare")}},
		{what: "assent", command: append([]string{filepath.Join(dir, "assent")}, task...)},
		{what: vendorName},
	}
	if program, err := vendor.install(progress); err != nil {
		all[2].err = err
	} else {
		all[2].command = append(program, task...)
	}
	stage := &stage{dir: dir, api: api}
	if err := stage.prepare(); err != nil {
		return nil, err
	}
	for round := range warmUps + runs {
		for _, c := range all {
			stage.run(c, round >= warmUps)
		}
	}
	var figures []sessionFigures
	for _, c := range all {
		f := sessionFigures{what: c.what, err: c.err, peak: c.peak}
		if c.err == nil {
			slices.Sort(c.took)
			f.seconds = c.took[len(c.took)/2].Seconds()
		}
		figures = append(figures, f)
	}
	for _, f := range figures[:2] { // the others need not be there
		if f.err != nil {
			return nil, fmt.Errorf("%s: %w", f.what, f.err)
		}
	}
	return figures, nil
}

// warmUps are runs that do not count: they fill the caches of the system.
const warmUps = 3

func buildFor(dir, name, source string) error {
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", filepath.Join(dir, name), ".")
	build.Dir, build.Env = source, append(os.Environ(), "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("cannot build %s: %w\n%s", name, err, text)
	}
	return nil
}

// stage is where sessions run: a home, a project and a model on loopback.
type stage struct {
	dir string
	api *scriptedModel
}

func (s *stage) path(name string) string { return filepath.Join(s.dir, name) }

func (s *stage) prepare() error {
	for _, name := range []string{"home", "project", "tmp"} {
		if err := os.MkdirAll(s.path(name), 0o755); err != nil {
			return err
		}
	}
	return nil
}

// env leads everything that is asked of a model, and everything else, to loopback.
func (s *stage) env() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + s.path("home"), "TMPDIR=" + s.path("tmp"), "LANG=C.UTF-8", "TERM=dumb", "SHELL=/bin/bash",
		"ANTHROPIC_BASE_URL=" + s.api.url, "ANTHROPIC_API_KEY=sk-ant-fake-" + strings.Repeat("0", 42),
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1", "DISABLE_AUTOUPDATER=1",
		"CLAUDE_CODE_MAX_RETRIES=2", "IS_SANDBOX=1",
		"HTTPS_PROXY=" + nowhere, "https_proxy=" + nowhere, "NO_PROXY=127.0.0.1,localhost", "no_proxy=127.0.0.1,localhost",
	}
}

// nowhere is an address at which nobody listens.
const nowhere = "http://127.0.0.1:9"

// run runs a contestant once. One that fails is not run again.
func (s *stage) run(c *contestant, counts bool) {
	if c.err != nil {
		return
	}
	figures, told := s.path("figures.json"), s.api.told()
	cmd := exec.Command(s.path("peak"), append([]string{figures}, c.command...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = s.path("project"), s.env(), strings.NewReader("hello\n")
	out, err := cmd.CombinedOutput()
	talks := len(c.command) > 1
	switch {
	case err != nil:
		c.err = fmt.Errorf("it failed: %w: %.200s", err, out)
		return
	case talks && (!strings.Contains(string(out), farewell) || s.api.told() != told+1):
		c.err = fmt.Errorf("it did not do what the model wanted: %.200s", out)
		return
	}
	var found struct{ Nanoseconds, Kilobytes int64 }
	data, err := os.ReadFile(figures)
	if err == nil {
		err = json.Unmarshal(data, &found)
	}
	if c.err = err; err == nil && counts {
		c.took = append(c.took, time.Duration(found.Nanoseconds))
		c.peak = max(c.peak, found.Kilobytes<<10)
	}
}

func (r *results) writeSession(b *strings.Builder) {
	if len(r.session) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## A session with one call\n\n"+
		"The process starts, reads its settings, asks a model on loopback, decides about the one command that it wants, runs it (`echo`), tells the\n"+
		"result, prints the answer and ends; what it did is on disk then. Beside it a Go program that only reads its input. Medians of %d runs\n"+
		"in turn; the memory is the most that any of them needed.\n\n", r.plan.sessionRuns)
	row(b, "program", "time", "more than bare", "peak memory")
	row(b, "---", "--:", "--:", "--:")
	for _, f := range r.session {
		if f.err != nil {
			row(b, f.what, "n/a: "+f.err.Error(), "", "")
			continue
		}
		row(b, f.what, fmt.Sprintf("%.1f ms", f.seconds*1e3), fmt.Sprintf("%.1f ms", (f.seconds-r.session[0].seconds)*1e3), megabytes(f.peak))
	}
}

// sessionBars are about the first two rows.
func (r *results) sessionBars() []bar {
	if len(r.session) < 2 {
		return nil
	}
	more := time.Duration((r.session[1].seconds - r.session[0].seconds) * float64(time.Second))
	return []bar{
		{"a session with one call ≤ 60 ms more than a bare Go program", fmt.Sprintf("%.1f ms", more.Seconds()*1e3), more <= mostSession},
		{"and ≤ 45 MB of memory", megabytes(r.session[1].peak), r.session[1].peak <= mostSessionMemory},
	}
}
