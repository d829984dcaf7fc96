package alarm

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// process is another one that hears bells.
type process struct {
	command *exec.Cmd
	lines   chan string
}

// another starts another process on a database.
func another(t *testing.T, address string) *process {
	t.Helper()
	p := &process{exec.Command(os.Args[0]), make(chan string, 1000)}
	p.command.Env = append(os.Environ(), elsewhere+"="+address)
	p.command.Stderr = t.Output()
	out, err := p.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			p.lines <- s.Text()
		}
	}()
	t.Cleanup(func() {
		_ = p.command.Process.Kill() // it may have ended
		_ = p.command.Wait()         // which is what was wanted
	})
	if line := p.next(t); line != "ready" {
		t.Fatal(line)
	}
	return p
}

func (p *process) next(t *testing.T) string {
	t.Helper()
	select {
	case line := <-p.lines:
		return line
	case <-time.After(20 * time.Second):
		t.Fatal("the other process says nothing")
		return ""
	}
}

// Processes share the bells, and each rings once.
func TestProcessesShareBells(t *testing.T) {
	each(t, func(t *testing.T, address string) {
		b := on(t, address)
		one, two := another(t, address), another(t, address)
		const all = 200
		for n := range all {
			b.set(Bell{Kind: "look", Ticket: fmt.Sprint(n)})
		}
		heard, by := map[string]int{}, [2]int{}
		for range all {
			var line string
			select {
			case line = <-one.lines:
				by[0]++
			case line = <-two.lines:
				by[1]++
			case <-time.After(20 * time.Second):
				t.Fatalf("only %d were heard", len(heard))
			}
			heard[line]++
		}
		b.pending()
		for _, p := range []*process{one, two} {
			if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			for line := range p.lines {
				t.Errorf("one more: %s", line)
			}
			if err := p.command.Wait(); err != nil {
				t.Error(err)
			}
		}
		if len(heard) != all {
			t.Errorf("%d different ones of %d", len(heard), all)
		}
		if t.Logf("%v", by); by[0] == 0 || by[1] == 0 {
			t.Error("one has heard them all")
		}
	})
}

// A bell that a process was hearing when it was killed is heard by another one. The one that
// is killed is also the one that River had elected.
func TestABellOutlivesTheProcessThatHearsIt(t *testing.T) {
	each(t, func(t *testing.T, address string) {
		b := on(t, address)
		victim := another(t, address)
		b.set(Bell{Kind: "look", Ticket: "a", Arg: "hang"}, Bell{Kind: "look", Ticket: "later", At: time.Now().Add(7 * time.Second)})
		if line := victim.next(t); !strings.HasPrefix(line, "heard a") {
			t.Fatal(line)
		}
		if err := victim.command.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		b.work(b.done)
		for range 2 {
			it := b.next(20 * time.Second)
			took := time.Since(start)
			t.Logf("%s after %s", it.Ticket, took)
			if took > 15*time.Second || it.Ticket == "later" && took > 10*time.Second || it.Ticket == "a" && it.Try != 1 {
				t.Errorf("%+v after %s", it, took)
			}
		}
		b.silent()
	})
}
