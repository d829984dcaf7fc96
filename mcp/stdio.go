package mcp

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/assent-dev/assent/internal/process"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// program is the link to a server that we start. It and everything that it starts are
// one group, of which nothing is left after finish.
type program struct {
	config  Server
	options Options

	words tail // stderr

	mu      sync.Mutex
	isCut   bool
	stream  *stream
	group   *process.Group
	watched chan struct{} // closed when nobody watches the group any more
	release func() ending
}

func newProgram(config Server, options Options) *program {
	return &program{config: config, options: options}
}

// Connect starts the program.
func (p *program) Connect(context.Context) (sdk.Connection, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.isCut {
		return nil, io.ErrClosedPipe
	}
	stdin, writer, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer stdin.Close()
	cmd := exec.Command(p.config.Command, p.config.Args...)
	cmd.Dir, cmd.Stdin, cmd.Env = p.options.Dir, stdin, p.environment()
	reader, output := io.Pipe()
	group, err := process.Start(cmd, func(piece []byte) { _, _ = output.Write(piece) }, p.words.add)
	if err != nil {
		_ = writer.Close()
		return nil, fmt.Errorf("cannot start it: %w", err)
	}
	p.group, p.watched = group, make(chan struct{})
	p.stream = newStream(reader, writer)
	p.release = sync.OnceValue(func() ending { return ending{exitOf(group.Release()), p.words.String()} })
	go p.watch(group, output)
	return p.stream, nil
}

func (p *program) environment() []string {
	env := p.options.Env
	if env == nil {
		env = os.Environ()
	}
	env = process.HandedOn(env) // what the configuration of the server itself says is meant for it
	for _, e := range p.config.Env {
		env = append(env, e.Name+"="+e.Value)
	}
	return env
}

// watch ends the stream when nothing can come any more. What a program leaves behind
// when it ends would answer for it: it is killed.
func (p *program) watch(group *process.Group, output *io.PipeWriter) {
	defer close(p.watched)
	select {
	case <-group.Exited():
		p.release()
	case <-group.StdoutClosed():
	}
	_ = output.Close()
}

func (p *program) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.isCut = true
	if p.stream != nil {
		_ = p.stream.Close()
	}
}

// finish closes the program's input, which asks it to end, and kills what then is left.
func (p *program) finish(ctx context.Context) ending {
	p.cut()
	if p.group == nil { // after the cut it does not change
		return ending{}
	}
	timer := time.NewTimer(endTime)
	defer timer.Stop()
	select {
	case <-p.group.Exited():
	case <-timer.C:
	case <-ctx.Done():
	}
	how := p.release()
	<-p.watched
	p.stream.wait()
	return how
}

// exitOf tells a person how a program ended.
func exitOf(state *os.ProcessState) string {
	if signal := process.Signal(state); signal != "" {
		return signal
	}
	return state.String()
}

// tail keeps the end of what a program writes to stderr.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailSize = 4 << 10

func (t *tail) add(piece []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(piece) >= tailSize {
		t.text, piece = t.text[:0], piece[len(piece)-tailSize:]
	}
	if drop := len(t.text) + len(piece) - tailSize; drop > 0 {
		t.text = append(t.text[:0], t.text[drop:]...)
	}
	t.text = append(t.text, piece...)
}

// String is the text without what could play tricks on a terminal.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return plain(string(t.text))
}

// plain takes out of a text what could play tricks on who reads it, control characters
// and marks that turn the direction around, and the blanks around it.
func plain(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < ' ' || r >= 0x7f && r < 0xa0, unicode.Is(unicode.Bidi_Control, r), r >= 0xe0000 && r < 0xe0080:
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "�")))
}
