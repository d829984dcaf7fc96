package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"time"
)

// The page may hold more than this program writes, such as the figures of the long
// tests. Only what stands between the marks is replaced.
const (
	pageBegin = "<!-- written by make bench: begin -->\n"
	pageEnd   = "<!-- written by make bench: end -->\n"
)

func writePage(path, text string) error {
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	before, rest, found := strings.Cut(string(old), pageBegin)
	_, after, closed := strings.Cut(rest, pageEnd)
	if !found || !closed {
		before, after = "", string(old) // somebody else's page: nothing of it is lost
	}
	return os.WriteFile(path, []byte(before+text+after), 0o644)
}

func (r *results) markdown(now time.Time) string {
	var b strings.Builder
	b.WriteString(pageBegin)
	b.WriteString("# Benchmarks\n\n")
	fmt.Fprintf(&b, "Measured %s in one run of %.0f s: %d cores, %s/%s, %s. Run it again with `make bench`.\n\n",
		now.Format(time.DateOnly), r.took.Seconds(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	b.WriteString("All contenders take short turns, round after round, and each figure is the median of its rounds, " +
		"so that a busy machine hits all alike. Ratios say more than times.\n\n")
	r.writeBars(&b)
	r.writeDecisions(&b)
	r.writeShell(&b)
	r.writeLoading(&b)
	r.writeGuard(&b)
	r.writeSession(&b)
	r.writeMany(&b)
	r.writeResumes(&b)
	r.writeApproval(&b)
	r.writeInbox(&b)
	r.writeMachines(&b)
	b.WriteString(pageEnd)
	return b.String()
}

func (r *results) writeBars(b *strings.Builder) {
	b.WriteString("## Bars\n\n")
	writeTable(b, r.bars())
}

func writeTable(b *strings.Builder, bars []bar) {
	row(b, "bar", "measured", "")
	row(b, "---", "---", "---")
	for _, bar := range bars {
		verdict := "**not met**"
		if bar.met {
			verdict = "met"
		}
		row(b, bar.promise, bar.measured, verdict)
	}
}

func (r *results) writeDecisions(b *strings.Builder) {
	b.WriteString(`
## One decision

The same policy for all: N rules, three fifths permit and two fifths forbid, on tools by name and on
directories. Calls go round over rules all over the list. Time, allocations and ratio (assent = 1) of one
decision on a call that was read and validated before. All answers were compared and are the same.

- assent: ` + "`permission.Engine.Decide`" + `, with its trace and the rule that decided
- ` + module("github.com/cedar-policy/cedar-go") + `: a policy for each rule
- ` + module("github.com/open-policy-agent/opa") + `: a prepared query over a document; tools by name in an object, directories in a list
- ` + module("github.com/casbin/casbin/v3") + `: a line of policy for each rule, ` + "`keyMatch`" + `

The peers are written as their manuals write such policies. They try path rules one after the other; one
could build an index by hand in some of them.

`)
	header := []string{"call", "rules"}
	for _, e := range entrants {
		header = append(header, e.name)
	}
	row(b, header...)
	row(b, "---", "--:", "--:", "--:", "--:", "--:")
	for _, w := range workloads {
		for _, d := range r.decisions {
			if d.workload == w.name {
				row(b, d.cells()...)
			}
		}
	}
}

func (d decisions) cells() []string {
	cells := []string{d.workload, thousands(d.rules)}
	for _, f := range d.by {
		switch {
		case f == nil:
			cells = append(cells, "n/a: loading took too long")
		case f == d.by[0]:
			cells = append(cells, fmt.Sprintf("%s, %s", nanoseconds(f.ns), allocations(f.allocs)))
		default:
			cells = append(cells, fmt.Sprintf("%s, %s, **%s**", nanoseconds(f.ns), allocations(f.allocs), times(f.ns/d.by[0].ns)))
		}
	}
	return cells
}

func (r *results) writeShell(b *strings.Builder) {
	b.WriteString(`
## A shell command, nothing cached

Parsing, finding what runs, the rules on every part, files, danger and read-only checks, beside the parse of the
same text by ` + module("mvdan.cc/sh/v3") + ` with a parser and a reader that are used again (= 1). Validation is
stage 1, which comes before: strict JSON and the tool's schema.

`)
	header := []string{"command", "parse alone", "validation"}
	align := []string{"---", "--:", "--:"}
	for _, n := range r.plan.sizes {
		header, align = append(header, "decide, "+thousands(n)+" rules"), append(align, "--:")
	}
	row(b, header...)
	row(b, align...)
	mean := []string{"mean ratio", "", ""}
	for i := range r.plan.sizes {
		mean = append(mean, "**"+times(meanRatio(r.shell, i))+"**")
	}
	for _, f := range r.shell {
		row(b, f.cells()...)
	}
	row(b, mean...)
}

func (f shellFigures) cells() []string {
	cells := []string{"`" + strings.ReplaceAll(f.command, "|", `\|`) + "`", with(f.parse), with(f.validate)}
	for _, d := range f.decide {
		cells = append(cells, with(d)+", **"+times(d.ns/f.parse.ns)+"**")
	}
	return cells
}

func with(f figure) string { return nanoseconds(f.ns) + ", " + allocations(f.allocs) }

func (r *results) writeLoading(b *strings.Builder) {
	fmt.Fprintf(b, `
## Loading %s rules

From the text of the policy until calls of every kind have been decided, so that nothing is left to prepare. Time by the clock counts whatever else
the machine does, CPU time counts what the collector does on another core; the bar is about the smaller one. The heap
is what stays alive; from a file it includes all texts. casbin gets its lines already split.

`, thousands(r.largest()))
	row(b, "what", "time", "CPU time", "live heap", "ratio")
	row(b, "---", "--:", "--:", "--:", "--:")
	for _, l := range r.loading {
		if l.err != nil {
			row(b, l.what, fmt.Sprintf("n/a: loading took > %v", r.plan.loadLimit), "", "", "")
			continue
		}
		row(b, l.what, milliseconds(l.took), milliseconds(l.cpu), megabytes(l.heap), times(float64(l.alone())/float64(r.loading[0].alone())))
	}
}
