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
		heard, by, all := map[string]int{}, [2]int{}, 0
		for ; all < 200 || by[0] == 0 || by[1] == 0; all++ { // a process may come late
			if all == 10_000 {
				t.Fatalf("one has heard them all: %v", by)
			}
			b.set(Bell{Kind: "look", Ticket: fmt.Sprint(all)})
			if all < 100 { // so that several wait at a time
				continue
			}
			hear(t, one, two, heard, &by)
		}
		for len(heard) < all {
			hear(t, one, two, heard, &by)
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
		t.Logf("%v", by)
	})
}

// hear waits for one bell that no process has heard before.
func hear(t *testing.T, one, two *process, heard map[string]int, by *[2]int) {
	t.Helper()
	var line string
	select {
	case line = <-one.lines:
		by[0]++
	case line = <-two.lines:
		by[1]++
	case <-time.After(20 * time.Second):
		t.Fatalf("only %d were heard", len(heard))
	}
	if heard[line]++; heard[line] > 1 {
		t.Fatalf("bell %s was heard twice", line)
	}
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
