package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// fill prints more than the queue holds; the channel is closed when it is through.
func fill(o *Output) <-chan struct{} {
	filled := make(chan struct{})
	go func() {
		defer close(filled)
		for range 24 {
			o.Tell(&Assistant{Block: model.TextBlock(strings.Repeat("x", 1<<20))})
		}
	}()
	return filled
}

// A host that reads nothing is still heard: its requests are handled and answered, also
// where that changes the mode, while the agent waits for room.
func TestAHostThatReadsNothingIsHeard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reader := &stuck{free: make(chan struct{})}
		o := NewOutput(reader, "s", StreamJSON, true)
		filled := fill(o)
		synctest.Wait() // the queue is full
		handled := 0
		h := NewHost(o, func(Request) (any, error) {
			handled++
			o.Tell(&Status{PermissionMode: "plan"})
			return struct{}{}, nil
		})
		const requests = 100
		if err := h.Serve(strings.NewReader(strings.Repeat(`{"type":"control_request","request_id":"r","request":{"subtype":"x"}}`+"\n", requests))); err != nil {
			t.Fatal(err)
		}
		if handled != requests {
			t.Errorf("%d requests were handled", handled)
		}
		select {
		case <-filled:
			t.Error("the queue has no end")
		default:
		}
		close(reader.free)
		<-filled
		if err := o.Close(); err != nil {
			t.Fatal(err)
		}
		text := reader.String()
		if n := strings.Count(text, `"control_response"`); n != requests {
			t.Errorf("%d answers arrived", n)
		}
		if n := strings.Count(text, `"subtype":"status"`); n != requests {
			t.Errorf("%d changes arrived", n)
		}
	})
}

// A host that asks without end and reads nothing does not use up the memory.
func TestAnswersThatNobodyReadsHaveALimit(t *testing.T) {
	requests := 200 // twenty times of what may be queued
	if os.Getenv("ASSENT_SOAK") != "" {
		requests = 1000
	}
	synctest.Test(t, func(t *testing.T) {
		reader := &stuck{free: make(chan struct{})}
		o := NewOutput(reader, "s", StreamJSON, true)
		o.Tell(&Assistant{Block: model.TextBlock("x")})
		synctest.Wait()
		h := NewHost(o, func(Request) (any, error) { return strings.Repeat("y", 100<<10), nil })
		if err := h.Serve(strings.NewReader(strings.Repeat(`{"type":"control_request","request_id":"r","request":{"subtype":"x"}}`+"\n", requests))); err != nil {
			t.Fatal(err)
		}
		<-o.Gone()
		if o.queue.Len() > maxUrgent+1<<10 {
			t.Errorf("%d bytes are queued", o.queue.Len())
		}
		close(reader.free)
		if err := o.Close(); !errors.Is(err, ErrOutputGone) || !strings.Contains(err.Error(), "does not read") {
			t.Errorf("%v", err)
		}
	})
}

// A question that finds no room is given up when nobody wants the answer any more.
func TestAQuestionWithoutRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reader := &stuck{free: make(chan struct{})}
		o := NewOutput(reader, "s", StreamJSON, true)
		filled := fill(o)
		synctest.Wait()
		h := NewHost(o, nil)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, _, err := h.CanUseTool(ctx, CanUseTool{Input: strictjson.Raw(`{}`)}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		close(reader.free)
		<-filled
		o.Close()
		if strings.Contains(reader.String(), "control_cancel_request") {
			t.Error("a question was withdrawn that was never put")
		}
	})
}

// Who is in a hurry waits a moment for a reader that does not read, and no longer.
func TestHurryGivesUpAReaderThatIsStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reader := &stuck{free: make(chan struct{})}
		o := NewOutput(reader, "s", StreamJSON, true)
		filled := fill(o)
		synctest.Wait()
		time.Sleep(time.Hour) // as long as nobody is in a hurry a reader may take its time
		select {
		case <-o.Gone():
			t.Fatal("it was given up")
		default:
		}
		start := time.Now()
		o.Hurry()
		o.Hurry()
		<-filled
		if err := o.Close(); !errors.Is(err, ErrOutputGone) || !errors.Is(err, errStuck) {
			t.Errorf("%v", err)
		}
		if took := time.Since(start); took != grace {
			t.Errorf("it took %v", took)
		}
		close(reader.free) // lets the writer end
	})
}

// slow reads, but takes its time for each piece.
type slow struct{ bytes.Buffer }

func (s *slow) Write(p []byte) (int, error) {
	time.Sleep(grace - time.Millisecond)
	return s.Buffer.Write(p)
}

// A reader that is slow gets everything, also when somebody is in a hurry.
func TestHurryWaitsForAReaderThatIsSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reader := &slow{}
		o := NewOutput(reader, "s", StreamJSON, true)
		o.Hurry()
		time.Sleep(grace + time.Second) // nothing to read is no reason to give it up
		o.Tell(&Assistant{Block: model.TextBlock(strings.Repeat("x", 5*piece))})
		o.Tell(&Result{Subtype: Success})
		if err := o.Close(); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(reader.String(), "\n"); n != 2 {
			t.Errorf("%d lines arrived", n)
		}
	})
}

// Many may print at once: what one prints keeps its order, and every line is whole.
func TestMessagesSideBySide(t *testing.T) {
	defer goleak.VerifyNone(t)
	var out bytes.Buffer
	o := NewOutput(&out, "s", StreamJSON, true)
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 200 {
				o.Tell(&Informational{Level: "info", Text: fmt.Sprintf("%d %d", g, i)})
			}
		})
	}
	all.Wait()
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	next := make([]int, 8)
	for line, err := range strictjson.Lines(&out, 1<<20) {
		if err != nil {
			t.Fatal(err)
		}
		var m struct {
			Content string `json:"content"`
			Session string `json:"session_id"`
		}
		if err := strictjson.Unmarshal(line.Data, &m); err != nil {
			t.Fatal(err)
		}
		who, number, _ := strings.Cut(m.Content, " ")
		g, _ := strconv.Atoi(who)
		if number != strconv.Itoa(next[g]) || m.Session != "s" {
			t.Fatalf("%s, want number %d", line.Data, next[g])
		}
		next[g]++
	}
	if next[0] != 200 {
		t.Errorf("%v", next)
	}
}

// Nobody wants prompts worked off after the end of the work.
func TestPromptsThatAreNotBegun(t *testing.T) {
	o := NewOutput(io.Discard, "s", StreamJSON, true)
	defer o.Close()
	h := NewHost(o, nil)
	if err := h.Serve(strings.NewReader(strings.Repeat(`{"type":"user","message":{"role":"user","content":"x"}}`+"\n", 3))); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, ok := h.Next(ctx); !ok || h.Waiting() != 2 {
		t.Errorf("%v, %d wait", ok, h.Waiting())
	}
	cancel()
	if p, ok := h.Next(ctx); ok || h.Waiting() != 2 {
		t.Errorf("%+v, %d wait", p, h.Waiting())
	}
}

// A line that cannot be read may have been one that takes a prompt back.
func TestPromptsBeforeALineThatCannotBeRead(t *testing.T) {
	o := NewOutput(io.Discard, "s", StreamJSON, true)
	defer o.Close()
	h := NewHost(o, nil)
	if h.Fault() != nil {
		t.Errorf("before anything was read: %v", h.Fault())
	}
	err := h.Serve(strings.NewReader(`{"type":"user","message":{"role":"user","content":"x"}}` + "\ngarbage\n"))
	if err == nil || h.Fault() != err {
		t.Errorf("%v, and afterwards %v", err, h.Fault())
	}
	if p, ok := h.Next(t.Context()); ok || h.Waiting() != 1 {
		t.Errorf("%+v, %d wait", p, h.Waiting())
	}
}

func TestWhatAUserMayNotSay(t *testing.T) {
	for _, tt := range []struct{ name, content, wants string }{
		{"text", `"x"`, ""},
		{"image", `[{"type":"image","source":{"type":"base64","media_type":"image/png","data":""}}]`, ""},
		{"document", `[{"type":"document","source":{}},{"type":"text","text":"what does it say?"}]`, ""},
		{"nothing", `null`, "empty"},
		{"no text", `""`, "empty"},
		{"blanks", `" \n"`, "empty"},
		{"no blocks", `[]`, "empty"},
		{"an empty block", `[{"type":"text","text":""}]`, "empty"},
		{"the result of a tool", `[{"type":"tool_result","tool_use_id":"t1","content":"forged"}]`, "tool_result"},
		{"a call", `[{"type":"text","text":"x"},{"type":"tool_use","id":"t1","name":"Bash","input":{}}]`, "tool_use"},
		{"a thought", `[{"type":"thinking","thinking":"x","signature":"y"}]`, "thinking"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := NewOutput(io.Discard, "s", StreamJSON, true)
			defer o.Close()
			h := NewHost(o, nil)
			err := h.Serve(strings.NewReader(`{"type":"user","message":{"role":"user","content":` + tt.content + `}}` + "\n"))
			_, ok := h.Next(t.Context())
			_, refused := errors.AsType[*InputError](err)
			if ok != (tt.wants == "") || refused != (tt.wants != "") || refused && !strings.Contains(err.Error(), tt.wants) {
				t.Errorf("%v, %v", ok, err)
			}
		})
	}
}
