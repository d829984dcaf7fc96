package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"mime"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/settings/oslinks"
	"github.com/assent-dev/assent/tool"
)

// maxBody is how long a call may be: a file that is to be written is part of it.
const maxBody = 1 << 20

// decisions judges calls by the settings of a project. A checker serves one question after
// the other, so there are several, and whoever finds none free waits for one.
type decisions struct {
	free chan *policy.Checker
}

// newDecisions judges by these settings.
func newDecisions(from settings.Options) (*decisions, error) {
	set, err := tool.NewSet(tool.Builtin()...)
	if err != nil {
		return nil, err
	}
	d := &decisions{free: make(chan *policy.Checker, runtime.GOMAXPROCS(0))}
	said := once{by: map[string]map[int]bool{}}
	for reader := range cap(d.free) {
		d.free <- &policy.Checker{
			Tools: tools{set}, Links: oslinks.Links{},
			Settings: from,
			Notice: func(reports []settings.Report) {
				for _, report := range reports {
					said.log(reader, report.String())
				}
			},
		}
	}
	// Settings that cannot be read are an error now, and not with the first call.
	if _, err := d.judge(context.Background(), []byte(`{"tool_name": "Bash", "tool_input": {"command": "true"}}`)); err != nil {
		return nil, err
	}
	return d, nil
}

// once logs what several checkers say about the same settings a single time.
type once struct {
	mu sync.Mutex
	by map[string]map[int]bool // who has said it since it was logged
}

// log logs what nobody has said yet. Who says it a second time has read the settings again.
func (o *once) log(reader int, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if said := o.by[text]; said != nil && !said[reader] {
		said[reader] = true
		return
	}
	o.by[text] = map[int]bool{reader: true}
	log.Print(text)
}

// tools are the built-in ones, and those of any MCP server.
type tools struct{ builtin *tool.Set }

func (t tools) Lookup(name string) (permission.Tool, bool) {
	if parts := strings.SplitN(name, "__", 3); len(parts) == 3 && parts[0] == "mcp" && parts[1] != "" && parts[2] != "" {
		return tool.Named(name), true
	}
	return t.builtin.Lookup(name)
}

// members are what a caller may say. A line of `assent check --jsonl` can also bring rules,
// a mode and a directory of its own: here those are the server's business.
var members = []string{"id", "tool_name", "tool_input"}

// judge decides one call.
func (d *decisions) judge(ctx context.Context, call []byte) (policy.LineReply, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(call, &object); err != nil {
		return policy.LineReply{}, fmt.Errorf("the call is no JSON object: %w", err)
	}
	for name := range object {
		if !slices.Contains(members, name) {
			return policy.LineReply{}, fmt.Errorf("there is no member %q: want %s", name, strings.Join(members, ", "))
		}
	}
	select {
	case checker := <-d.free:
		defer func() { d.free <- checker }()
		reply := checker.Line(call) // it reads strictly: a key that occurs twice is an error
		if reply.Reply == nil {
			return reply, errors.New(reply.Error)
		}
		return reply, nil
	case <-ctx.Done():
		return policy.LineReply{}, context.Cause(ctx)
	}
}

func (d *decisions) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /check", d.check)
	return onlyHere(mux)
}

// check answers with a decision and status 200. With any other status there is none, and the
// call must not run.
func (d *decisions) check(w http.ResponseWriter, r *http.Request) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		refuse(w, http.StatusUnsupportedMediaType, "send the call as application/json")
		return
	}
	call, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("a call may have %d bytes", maxBody))
		return
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, "the call cannot be read")
		return
	}
	reply, err := d.judge(r.Context(), call)
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	answer(w, http.StatusOK, reply)
}

// onlyHere refuses a page of the web that has made the browser of somebody here believe that
// its own name is this machine's.
func onlyHere(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if ip := net.ParseIP(strings.Trim(host, "[]")); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			refuse(w, http.StatusMisdirectedRequest, "this server answers as localhost only")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func refuse(w http.ResponseWriter, status int, why string) {
	answer(w, status, map[string]string{"error": why})
}

func answer(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		log.Print(err)
		status, text = http.StatusInternalServerError, []byte(`{"error":"the answer cannot be written"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // whoever is gone needs no answer
}
