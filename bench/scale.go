package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// What processes that share a database promise, however many sessions lie in it.
const (
	mostAtRest  = 5.0 // statements per second and process
	mostCommand = time.Second
	leastGrowth = 1.5 // of four workers over one
)

// crowd is how many sessions lie in a database: those that have ended, and those in which a call waits.
// cycles is how many go on with each number of workers.
type crowd struct{ ended, waiting, cycles int }

var crowds = []crowd{{0, 0, 200}, {100, 100, 200}, {10_000, 1_000, 200}, {200_000, 10_000, 200}}

// scaled are the figures of one crowd, as bench/machines prints them.
type scaled struct {
	crowd
	found map[string]int64
}

func (s scaled) time(name string) time.Duration { return time.Duration(s.found[name]) }

func (s scaled) statements() float64 { return float64(s.found["statements"]) / 1000 }

func (s scaled) growth() float64 { return float64(s.found["cycle_1"]) / float64(s.found["cycle_4"]) }

// share is how much of one core a process needs at rest.
func (s scaled) share(name string) float64 { return s.time("cpu_"+name).Seconds() / restsFor.Seconds() }

// restsFor is how long bench/machines looks at processes at rest.
const restsFor = 40 * time.Second

// scale measures each crowd with a PostgreSQL of its own, and writes its part of the page.
func scale(page string, sizes []crowd, out, progress io.Writer) error {
	dir, err := os.MkdirTemp("", "assent-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, err := buildMachines(dir)
	if err != nil {
		return err
	}
	start := time.Now()
	var all []scaled
	for _, c := range sizes {
		fmt.Fprintf(progress, "%6.1fs  %d sessions that have ended, %d that wait\n", time.Since(start).Seconds(), c.ended, c.waiting)
		text, err := exec.Command(program, "scale", filepath.Join(dir, strconv.Itoa(c.ended)), strconv.Itoa(c.ended), filepath.Join(dir, "assent"), strconv.Itoa(c.waiting), strconv.Itoa(c.cycles)).Output()
		if err != nil {
			return fmt.Errorf("scale: %w", said(err))
		}
		one := scaled{crowd: c}
		if err := json.Unmarshal(text, &one.found); err != nil {
			return err
		}
		all = append(all, one)
	}
	text := scaleText(all, time.Now())
	fmt.Fprint(out, text)
	if page == "" {
		return nil
	}
	fmt.Fprintln(progress, "writing", page)
	return writeScale(page, text)
}

// The marks of this part of the page.
const (
	scaleBegin = "<!-- written by make bench-scale: begin -->\n"
	scaleEnd   = "<!-- written by make bench-scale: end -->\n"
)

// writeScale puts the part in the place of the one before, or at the end.
func writeScale(page, text string) error {
	old, err := os.ReadFile(page)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	before, rest, _ := strings.Cut(string(old), scaleBegin)
	_, after, _ := strings.Cut(rest, scaleEnd)
	return os.WriteFile(page, []byte(before+text+after), 0o644)
}

func scaleText(all []scaled, now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s## Many sessions in a database\n\nMeasured %s: %d cores, %s/%s, %s. Run it again with `make bench-scale`.\n\n", scaleBegin, now.Format(time.DateOnly), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	b.WriteString("A server and two workers that have just come share a PostgreSQL, all on the same machine, in which sessions lie: some have ended, and in the others a call waits for\n" +
		"an answer. Statements are those that a process sends while nobody does anything, in the mean of the three, with the beginnings and ends of transactions. On the disks of the three is\n" +
		"what they have of sessions then. A cycle is a session whose call was approved: a worker takes it, runs the call, tells the model and ends.\n" +
		"Each worker has one session at once (`--workers 1`), so that the figures say what more workers add.\n\n")
	row := func(name string, of func(scaled) string) {
		b.WriteString("| " + name + " |")
		for _, s := range all {
			b.WriteString(" " + of(s) + " |")
		}
		b.WriteString("\n")
	}
	row("sessions that have ended", func(s scaled) string { return thousands(s.ended) })
	b.WriteString("| --- |" + strings.Repeat(" --: |", len(all)) + "\n")
	row("sessions in which a call waits", func(s scaled) string { return thousands(s.waiting) })
	row("statements per second and process at rest", func(s scaled) string { return fmt.Sprintf("%.1f", s.statements()) })
	row("bytes of sessions on three fresh disks", func(s scaled) string { return thousands(int(s.found["bytes"])) })
	row("`assent inbox --once`", func(s scaled) string { return seconds(s.time("inbox")) })
	row("`assent sessions list`", func(s scaled) string { return seconds(s.time("list")) })
	row("a server at rest: of one core", func(s scaled) string { return fmt.Sprintf("%.1f %%", 100*s.share("server")) })
	row("a worker at rest: of one core", func(s scaled) string { return fmt.Sprintf("%.1f %%", 100*s.share("worker")) })
	row("a server at rest: memory", func(s scaled) string { return megabytes(s.found["memory_server"]) })
	row("a worker at rest: memory", func(s scaled) string { return megabytes(s.found["memory_worker"]) })
	for _, n := range []int{1, 2, 4} {
		row(fmt.Sprintf("cycles per second with so many workers: %d", n), func(s scaled) string {
			return fmt.Sprintf("%.1f", float64(time.Second)/float64(s.found[fmt.Sprint("cycle_", n)]))
		})
	}
	b.WriteString("\n")
	writeTable(&b, scaleBars(all[len(all)-1]))
	b.WriteString(scaleEnd)
	return b.String()
}

func scaleBars(s scaled) []bar {
	slowest := max(s.time("inbox"), s.time("list"))
	return []bar{
		{"at rest a process sends ≤ 5 statements per second, whatever waits", fmt.Sprintf("%.1f", s.statements()), s.statements() <= mostAtRest},
		{"nothing of a session that nobody works on is on a disk", thousands(int(s.found["bytes"])) + " bytes", s.found["bytes"] == 0},
		{"`assent inbox` and `assent sessions list` ≤ 1 s", seconds(slowest), slowest <= mostCommand},
		{"four workers go on with ≥ 1.5 times as many sessions as one", fmt.Sprintf("%.1f×", s.growth()), s.growth() >= leastGrowth},
	}
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }
