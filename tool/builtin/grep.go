package builtin

import (
	"context"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// The limits of what Grep reports.
const (
	// usualEntries is how many lines or files are shown when the call does not say.
	usualEntries = 250
	// mostEntries is the number when the call wants all.
	mostEntries = 20_000
	// mostReaders is how many files are read at a time.
	mostReaders = 8
)

// grepTool finds lines in files.
type grepTool struct {
	base
	limit int // of names to look at
	time  time.Duration
}

func newGrep(Options) *grepTool {
	return &grepTool{base: newBase("Grep"), limit: mostVisited, time: searchTime}
}

func (*grepTool) Order(*permission.Call) tool.Order { return tool.Beside }

func (t *grepTool) Run(parent context.Context, job tool.Job) tool.Result {
	g, err := t.prepare(&job)
	if err != nil {
		return tool.Fail(err.Error())
	}
	ctx, cancel := context.WithTimeout(parent, t.time)
	defer cancel()
	err = g.run(ctx, t.limit)
	switch {
	case parent.Err() != nil:
		return tool.Result{Text: "The search was interrupted.", Outcome: tool.NothingDone}
	case err != nil:
		return tool.Fail(notSearched(g.scope, err))
	}
	g.tally.unreadable += g.left.unreadable
	if ctx.Err() != nil && !g.out.more {
		g.tally.stopped = stoppedByTime
	}
	g.tally.large, g.tally.binary = g.left.large, g.left.binary
	return g.out.result(&g.tally, g.offset)
}

// grepping is one run of the tool.
type grepping struct {
	job    *tool.Job
	scope  scope
	pick   *picker
	scan   scanner
	offset int
	out    report
	tally  tally // of the walk
	left   tally // of the readers

	slots chan *slot    // in the order of the tree
	work  chan *slot    // for whoever is free
	turn  chan struct{} // whoever fills it may read a large file
}

func (t *grepTool) prepare(job *tool.Job) (*grepping, error) {
	in := arguments(job.Call.Input)
	start, err := judgedScope(job.Call)
	if err != nil {
		return nil, err
	}
	re, err := newExpression(in.text("pattern"), in.flag("-i", false), in.flag("multiline", false))
	if err != nil {
		return nil, err
	}
	pick, err := newPicker(in.text("glob"), in.text("type"), start, job.Cwd)
	if err != nil {
		return nil, err
	}
	out := newReport(in, job.Cwd)
	around := in.count("-C", in.count("context", 0))
	scan := scanner{
		expression: re, numbers: in.flag("-n", true), most: out.limit + 1, skip: out.offset,
		before: in.count("-B", around), after: in.count("-A", around),
	}
	return &grepping{job: job, scope: start, pick: pick, scan: scan, offset: out.offset, out: out}, nil
}

// slot is a file on its way through the readers. Its place in the queue is the place
// of its lines in the result.
type slot struct {
	file *os.File
	info state
	path string
	done chan struct{}

	read  reading
	lines lines
}

// run walks the tree, reads the files side by side and reports them in order. When it
// returns everything it started has ended.
func (g *grepping) run(parent context.Context, limit int) error {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	readers := min(runtime.GOMAXPROCS(0), mostReaders)
	if g.out.mode == showContent && g.out.offset > 0 {
		readers = 1 // the lines to leave out are counted from file to file
	}
	g.slots, g.work, g.turn = make(chan *slot, 2*readers), make(chan *slot), make(chan struct{}, 1)
	var all sync.WaitGroup
	var failure error
	all.Go(func() {
		defer close(g.slots)
		defer close(g.work)
		failure = g.feed(ctx, limit)
	})
	for range readers {
		scan := g.scan
		all.Go(func() { g.reader(ctx, &scan) })
	}
	ended := g.collect(ctx)
	cancel()
	all.Wait()
	if ended == reportFull || parent.Err() != nil {
		return nil
	}
	return failure
}

// feed queues the files of the tree, or the one file that the call names.
func (g *grepping) feed(ctx context.Context, limit int) error {
	parent, name := splitLast(g.scope.real)
	if name != "" {
		dir, err := openFolder(parent, mustExist)
		if err != nil {
			return explainPath(err)
		}
		info, err := dir.lstat(name)
		dir.close()
		if err != nil {
			return explainPath(err)
		}
		if !info.mode.IsDir() {
			return g.feedOne(ctx)
		}
	}
	w := walk{ctx: ctx, visitor: &feeder{g, ctx}, tally: &g.tally, limit: limit}
	return w.tree(g.scope.real)
}

func (g *grepping) feedOne(ctx context.Context) error {
	at, err := findPlace(g.scope.real, mustExist)
	if err != nil {
		return err
	}
	defer at.close()
	file, info, err := at.open()
	if err != nil {
		return err
	}
	g.out.single = true
	return g.queue(ctx, &slot{file: file, info: info, path: g.scope.given})
}

// feeder is the visitor that queues files.
type feeder struct {
	*grepping
	ctx context.Context
}

func (f *feeder) enter(d *found) bool {
	return f.pick.enters(d) && f.scope.mayRead(f.job, d.below, &f.tally)
}

func (f *feeder) file(at *found) error {
	if !at.kind.IsRegular() || !f.pick.reads(at) || !f.scope.mayRead(f.job, at.below, &f.tally) {
		return nil
	}
	file, err := openFileAt(at.dir, at.name)
	if err != nil {
		f.tally.unreadable++
		return nil
	}
	info, err := stateOf(file)
	if err != nil {
		file.Close()
		f.tally.unreadable++
		return nil
	}
	return f.queue(f.ctx, &slot{file: file, info: info, path: joined(f.scope.given, at.below)})
}

func (g *grepping) queue(ctx context.Context, s *slot) error {
	s.done = make(chan struct{})
	select {
	case g.slots <- s:
	case <-ctx.Done():
		s.file.Close()
		return ctx.Err()
	}
	select {
	case g.work <- s:
		return nil
	case <-ctx.Done():
		s.file.Close()
		return ctx.Err()
	}
}

// reader reads files until there are no more. Its buffer serves all small ones.
func (g *grepping) reader(ctx context.Context, scan *scanner) {
	buffer := make([]byte, 0, 64<<10)
	for s := range g.work {
		if s.info.size <= smallFile {
			buffer = g.look(ctx, s, scan, buffer, smallFile)
		} else {
			g.lookLarge(ctx, s, scan)
		}
		s.file.Close()
		close(s.done)
	}
}

func (g *grepping) lookLarge(ctx context.Context, s *slot, scan *scanner) {
	if s.info.size > mostFile {
		s.read = readLarge
		return
	}
	select {
	case g.turn <- struct{}{}:
		g.look(ctx, s, scan, make([]byte, 0, s.info.size+1), mostFile)
		<-g.turn
	case <-ctx.Done():
		s.read = readFailed
	}
}

func (g *grepping) look(ctx context.Context, s *slot, scan *scanner, buffer []byte, most int) []byte {
	text, read := readText(ctx, s.file, buffer, most)
	if s.read = read; read != readAll {
		return text
	}
	switch g.out.mode {
	case showContent:
		s.lines = scan.scan(ctx, text)
	case showCount:
		s.lines.matches = scan.count(ctx, text)
	case showFiles:
		if _, _, ok := scan.next(ctx, text, 0); ok {
			s.lines.matches = 1
		}
	}
	return text
}

// collect reports the files in order until there are no more or the report is full.
func (g *grepping) collect(ctx context.Context) reportState {
	for s := range g.slots {
		select {
		case <-s.done:
		case <-ctx.Done():
			return reportOpen
		}
		switch s.read {
		case readLarge:
			g.left.large++
		case readFailed:
			g.left.unreadable++
		case readBinary:
			if g.out.single {
				g.left.binary++ // nobody wants to hear of every picture in a tree
			}
		case readAll:
			if g.out.add(s) == reportFull {
				return reportFull
			}
		}
	}
	return reportOpen
}
