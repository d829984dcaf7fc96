package driver_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/assent-dev/assent/driver"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/wire"
)

// The test binary is also the program that the tests drive: how it behaves is in a
// variable.
const manner = "ASSENT_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if name := os.Getenv(manner); name != "" {
		os.Exit(behave(name))
	}
	os.Exit(m.Run())
}

// fake is the other end: a program that reads and prints lines.
type fake struct {
	in *bufio.Scanner
}

func (f *fake) say(format string, values ...any) { fmt.Printf(format+"\n", values...) }

// line is what the host says.
type line struct {
	Type    string `json:"type"`
	ID      string `json:"request_id"`
	UUID    string `json:"uuid"`
	Request struct {
		Subtype string `json:"subtype"`
		Mode    string `json:"mode"`
		Model   string `json:"model"`
	} `json:"request"`
	Message struct {
		Content string `json:"content"`
	} `json:"message"`
	Response strictjson.Raw `json:"response"`
	text     string
}

// next is the next line of the host; false when there are no more.
func (f *fake) next() (line, bool) {
	if !f.in.Scan() {
		return line{}, false
	}
	var l line
	if err := strictjson.Unmarshal(f.in.Bytes(), &l); err != nil {
		panic(err)
	}
	l.text = f.in.Text()
	return l, true
}

func (f *fake) agree(l line, body string) {
	f.say(`{"type":"control_response","response":{"subtype":"success","request_id":%q,"response":%s}}`, l.ID, body)
}

func (f *fake) result(text string) {
	quoted, _ := strictjson.Marshal(text)
	f.say(`{"type":"result","subtype":"success","is_error":false,"result":%s,"num_turns":1,"session_id":"s1","uuid":"u"}`, quoted)
}

// ask puts a question to the host and returns its answer.
func (f *fake) ask(id, request string) string {
	f.say(`{"type":"control_request","request_id":%q,"request":%s}`, id, request)
	for {
		l, ok := f.next()
		if !ok {
			return "the host is gone"
		}
		if l.Type == "control_response" {
			return string(l.Response)
		}
		f.serve(l)
	}
}

// serve answers a request of the host.
func (f *fake) serve(l line) {
	switch {
	case l.Type != "control_request":
	case l.Request.Mode == "yolo":
		f.say(`{"type":"control_response","response":{"subtype":"error","request_id":%q,"error":"no such mode"}}`, l.ID)
	default:
		f.agree(l, "{}")
	}
}

// behave is the program.
func behave(name string) int {
	f := &fake{bufio.NewScanner(os.Stdin)}
	f.in.Buffer(nil, 64<<20)
	if name == "silent" {
		io.Copy(io.Discard, os.Stdin)
		return 0
	}
	if name == "no protocol" {
		fmt.Fprintln(os.Stderr, "unknown flag: --input-format")
		return 2
	}
	if name == "no session" {
		f.say(`{"type":"result","subtype":"error_during_execution","is_error":true,"errors":["No conversation found"],"session_id":"s1"}`)
		return 1
	}
	for {
		l, ok := f.next()
		switch {
		case !ok && strings.HasPrefix(name, "stubborn"):
			select {}
		case !ok && strings.HasPrefix(name, "last words"):
			return f.lastWords(name)
		case !ok:
			return 0
		case l.Type == "control_request" && l.Request.Subtype == "initialize":
			if name == "refuses" {
				f.say(`{"type":"control_response","response":{"subtype":"error","request_id":%q,"error":"no hooks today"}}`, l.ID)
				continue
			}
			if name == "refuses and ends" {
				f.say(`{"type":"control_response","response":{"subtype":"error","request_id":%q,"error":"no hooks today"}}`, l.ID)
				fmt.Print(`{"type":"system","subtype":"status","permissionMode":"plan"}`)
				return 1
			}
			f.agree(l, "{}")
			if name == "takes up at once" {
				f.result("taken up")
			}
			fmt.Fprintln(os.Stderr, l.text)
			if name == "deaf" {
				for i := range 300 {
					f.say(`{"type":"control_request","request_id":"q%d","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"a":%q}}}`, i, strings.Repeat("x", 1<<14))
				}
				select {}
			}
		case l.Type == "control_request":
			f.serve(l)
		case l.Type == "user":
			if code, over := f.work(name, l); over {
				return code
			}
		}
	}
}

// work is what the program does about a prompt.
func (f *fake) work(name string, l line) (code int, over bool) {
	switch name {
	case "dies":
		f.say(`{"type":"assistant","message":{"content":[{"type":"text","text":"I begin."}]},"session_id":"s1"}`)
		fmt.Fprintln(os.Stderr, "out of \x1b[31mmemory")
		return 3, true
	case "killed":
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			_ = self.Kill()
		}
		select {}
	case "garbage":
		f.say(`{"type":"system","subtype":"status","permissionMode":"plan"}`)
		f.say("Segmentation fault")
		select {}
	case "repeats a key":
		f.say(`{"type":"result","is_error":true,"is_error":false}`)
		select {}
	case "no subtype":
		f.say(`{"type":"result","result":"done","session_id":"s1","uuid":"u"}`)
		select {}
	case "long":
		text := []byte(strings.Repeat("x", 1<<20))
		for range 100 {
			os.Stdout.Write(text)
		}
		select {}
	case "closes":
		os.Stdout.Close()
		select {}
	case "stubborn", "stubborn with a child", "stubborn but polite":
		signal.Ignore(syscall.SIGTERM)
		if name == "stubborn with a child" {
			child := exec.Command("/bin/sh", "-c", "trap '' TERM; echo; sleep 1000 & wait")
			child.Stderr = os.Stderr
			out, _ := child.StdoutPipe()
			if err := child.Start(); err != nil {
				panic(err)
			}
			out.Read(make([]byte, 1))
		}
		f.say(`{"type":"system","subtype":"status","permissionMode":"plan"}`)
		if name == "stubborn but polite" {
			if l, ok := f.next(); ok {
				f.serve(l) // it agrees to stop
			}
		}
		select {}
	case "hangs":
		f.say(`{"type":"system","subtype":"init","session_id":"s1"}`)
		for { // until it is interrupted
			l, ok := f.next()
			if !ok {
				return 0, true
			}
			f.serve(l)
			if l.Request.Subtype == "interrupt" {
				f.say(`{"type":"result","subtype":"error_during_execution","is_error":true,"errors":["interrupted"],"session_id":"s1"}`)
				return 0, false
			}
		}
	case "withdraws":
		f.say(`{"type":"control_request","request_id":"q1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}}`)
		for {
			l, ok := f.next()
			if !ok {
				return 0, true
			}
			f.serve(l)
			if l.Type == "control_response" {
				f.result("it was answered: " + l.text)
				return 0, false
			}
			if l.Request.Model == "go" {
				f.say(`{"type":"control_cancel_request","request_id":"q1"}`)
			}
			if l.Request.Model == "over" {
				f.result("withdrawn")
				return 0, false
			}
		}
	case "takes up": // a call that has waited first, then the prompt
		f.result("taken up")
		f.say(`{"type":"user","message":{"role":"user","content":%q},"isReplay":true,"uuid":%q,"session_id":"s1"}`, l.Message.Content, l.UUID)
		f.result("done: " + l.Message.Content)
	case "takes up and ends":
		f.say(`{"type":"result","subtype":"error_during_execution","is_error":true,"errors":["cannot be resolved"],"session_id":"s1"}`)
		return 1, true
	default:
		if request, isQuestion := strings.CutPrefix(l.Message.Content, "ask "); isQuestion {
			id := "q1"
			if rest, ok := strings.CutPrefix(request, "as assent "); ok {
				id, request = "assent_1", rest
			}
			f.result(f.ask(id, request))
			return 0, false
		}
		if l.Message.Content == "last words" {
			return f.lastWords(name), true
		}
		f.say(`{"type":"system","subtype":"init","cwd":"/","session_id":"s1"}`)
		f.result("done: " + l.Message.Content)
	}
	return 0, false
}

// lastWords come behind two messages, of which the second is more than a driver keeps for
// one who is not done with the first: the words are in the pipe when the program ends.
func (f *fake) lastWords(name string) (code int) {
	manner, words, _ := strings.Cut(name, ": ")
	for _, size := range []int{1, 1000} {
		f.say(`{"type":"assistant","message":{"content":[{"type":"text","text":%q}]},"session_id":"s1"}`, strings.Repeat("x", size))
	}
	fmt.Print(words)
	switch manner {
	case "last words with a child":
		child := exec.Command("/bin/sh", "-c", "sleep 1000")
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			panic(err)
		}
	case "last words in failure":
		return 3
	}
	return 0
}

// told collects what a driver tells.
type told struct{ messages []wire.Message }

func (r *told) tell(m wire.Message) { r.messages = append(r.messages, m) }

func (r *told) results() []string {
	var texts []string
	for _, m := range r.messages {
		if result, ok := m.(*wire.Result); ok {
			texts = append(texts, result.Text+strings.Join(result.Errors, ""))
		}
	}
	return texts
}

// options drive a fake that behaves in some manner. After the test no goroutine may be
// left.
func options(t *testing.T, how string) (driver.Options, *told) {
	t.Helper()
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, before) })
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := &told{}
	return driver.Options{
		Path: exe, Dir: t.TempDir(), Home: t.TempDir(), Tell: r.tell,
		// The race detector would wait for a second at the end of each.
		Env:      append(os.Environ(), manner+"="+how, "GORACE=atexit_sleep_ms=0"),
		Patience: driver.Patience{Start: 30 * time.Second, Stop: 30 * time.Second, End: 30 * time.Second, Term: 30 * time.Second},
	}, r
}

// start starts it; it is closed at the end of the test, if it was not before.
func start(t *testing.T, o driver.Options) *driver.Driver {
	t.Helper()
	d, err := driver.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close(context.Background()) })
	return d
}
