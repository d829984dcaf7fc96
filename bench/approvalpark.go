package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

// measureParking runs sessions whose one call a hook defers: the first one, in which there
// is no ticket yet, and the median of the others.
func measureParking(dir string, runs int) (first, usual time.Duration, err error) {
	if err := buildFor(dir, "assent", "../cmd/assent"); err != nil {
		return 0, 0, err
	}
	api, err := startModel()
	if err != nil {
		return 0, 0, err
	}
	defer api.close()
	hook, err := startHook()
	if err != nil {
		return 0, 0, err
	}
	defer hook.close()
	s := &stage{dir: dir, api: api}
	if err := s.prepare(); err != nil {
		return 0, 0, err
	}
	file := filepath.Join(dir, "defer.json")
	text := fmt.Sprintf(`{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "http", "url": %q}]}]}}`, hook.url)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return 0, 0, err
	}
	var took []time.Duration
	for range warmUps + runs {
		one, err := s.park(hook, file)
		if err != nil {
			return 0, 0, err
		}
		took = append(took, one)
	}
	return took[0], median(took[warmUps:]), nil
}

// park runs one session.
func (s *stage) park(hook *deferring, settings string) (time.Duration, error) {
	cmd := exec.Command(s.path("assent"), "-p", "say hello", "--settings", settings, "--output-format", "json")
	cmd.Dir, cmd.Env = s.path("project"), s.env()
	before := hook.asked.Load()
	out, err := cmd.CombinedOutput()
	ended := time.Now()
	switch {
	case err != nil:
		return 0, fmt.Errorf("%w: %.300s", err, out)
	case !strings.Contains(string(out), `"tool_deferred"`) || hook.asked.Load() != before+1:
		return 0, fmt.Errorf("the call was not deferred: %.300s", out)
	}
	return ended.Sub(*hook.answered.Load()), nil
}

// deferring is a hook on loopback that defers every call.
type deferring struct {
	url      string
	server   *http.Server
	asked    atomic.Int64
	answered atomic.Pointer[time.Time] // when it last began to answer
}

func startHook() (*deferring, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	h := &deferring{url: "http://" + listener.Addr().String() + "/hook"}
	h.server = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		now := time.Now()
		h.asked.Add(1)
		h.answered.Store(&now)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"defer"}}`)
	})}
	go h.server.Serve(listener)
	return h, nil
}

func (h *deferring) close() { h.server.Close() }
