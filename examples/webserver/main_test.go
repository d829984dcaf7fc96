package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/assent-dev/assent/settings"
)

// The test binary is the program when it is told so: nothing has to be built.
func TestMain(m *testing.M) {
	if os.Getenv("WEBSERVER_EXAMPLE") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// project is one with settings that deny pushes.
func project(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, dir, `{"permissions": {"deny": ["Bash(git push:*)"]}}`)
	return dir
}

func put(t *testing.T, dir, settings string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, ".claude", "settings.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
}

func newServer(t *testing.T) *httptest.Server {
	t.Helper()
	d, err := newDecisions(settings.Options{Dir: project(t), Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(d.routes())
	t.Cleanup(server.Close)
	return server
}

type reply struct {
	Decision, Reason, Rule, Stage, Error string
	ID                                   any
}

func post(t *testing.T, url, kind, body string) (int, reply) {
	t.Helper()
	response, err := http.Post(url, kind, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var r reply
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return response.StatusCode, r
}

func TestDecisions(t *testing.T) {
	server := newServer(t)
	for call, want := range map[string]reply{
		`{"tool_name": "Bash", "tool_input": {"command": "git log"}}`:                   {Decision: "allow", Reason: "only reads", Stage: "check"},
		`{"tool_name": "Bash", "tool_input": {"command": "cd web && git push -f"}}`:     {Decision: "deny", Reason: "git push -f", Rule: "Bash(git push:*)", Stage: "rules"},
		`{"tool_name": "Bash", "tool_input": {"command": "make release"}}`:              {Decision: "ask", Reason: "no rule allows it"},
		`{"tool_name": "mcp__pay__refund", "tool_input": {"order": 17}}`:                {Decision: "ask", Reason: "no rule allows this tool"},
		`{"tool_name": "Bash", "tool_input": {"command": "ls", "command": "rm -r ."}}`:  {Decision: "ask", Reason: "occurs twice", Stage: "validate"},
		`{"id": 7, "tool_name": "Bash", "tool_input": {"command": "ls", "Command": 1}}`: {ID: 7.0, Decision: "ask", Stage: "validate"},
	} {
		status, got := post(t, server.URL+"/check", "application/json; charset=utf-8", call)
		if status != 200 || got.Decision != want.Decision || got.Rule != want.Rule || got.ID != want.ID ||
			!strings.Contains(got.Reason, want.Reason) || !strings.Contains(got.Stage, want.Stage) || got.Error != "" {
			t.Errorf("%s: %d %+v", call, status, got)
		}
	}
}

// What is no call has no decision, and says why.
func TestNoDecision(t *testing.T) {
	server := newServer(t)
	const good = `{"tool_name": "Bash", "tool_input": {"command": "ls"}}`
	for name, tt := range map[string]struct {
		kind, body string
		status     int
		why        string
	}{
		"not JSON":            {"application/json", "ls", 422, "no JSON object"},
		"nothing":             {"application/json", "", 422, "no JSON object"},
		"null":                {"application/json", "null", 422, ""},
		"a list":              {"application/json", "[" + good + "]", 422, "no JSON object"},
		"two":                 {"application/json", good + good, 422, "no JSON object"},
		"a key twice":         {"application/json", `{"tool_name": "Read", ` + good[1:], 422, "twice"},
		"a key in capitals":   {"application/json", `{"Tool_Name": "Read", "tool_input": {}}`, 422, `"Tool_Name"`},
		"rules of one's own":  {"application/json", `{"permissions": {"allow": ["Bash"]}, ` + good[1:], 422, `"permissions"`},
		"another directory":   {"application/json", `{"cwd": "/", ` + good[1:], 422, `"cwd"`},
		"a mode of one's own": {"application/json", `{"mode": "bypassPermissions", ` + good[1:], 422, `"mode"`},
		"no tool":             {"application/json", `{"tool_input": {}}`, 422, "tool"},
		"no such tool":        {"application/json", `{"tool_name": "Fly", "tool_input": {}}`, 422, "no such tool"},
		"no input":            {"application/json", `{"tool_name": "Bash"}`, 422, "tool_input"},
		"another type":        {"text/plain", good, 415, "application/json"},
		"too long":            {"application/json", `{"tool_name": "` + strings.Repeat("x", maxBody) + `"}`, 413, "bytes"},
	} {
		status, got := post(t, server.URL+"/check", tt.kind, tt.body)
		if status != tt.status || !strings.Contains(got.Error, tt.why) || got.Decision != "" || got.Error == "" {
			t.Errorf("%s: %d %+v", name, status, got)
		}
	}
	response, err := http.Get(server.URL + "/check")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("GET: %s", response.Status)
	}
}

// A page of the web cannot ask under its own name.
func TestOnlyHere(t *testing.T) {
	d, err := newDecisions(settings.Options{Dir: project(t), Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]int{
		"localhost:8080": 200, "127.0.0.1:8080": 200, "127.0.0.1": 200, "[::1]:8080": 200, "[::1]": 200,
		"example.com": 421, "example.com:8080": 421, "127.0.0.1.example.com": 421, "": 421, "10.0.0.1:8080": 421,
	} {
		r := httptest.NewRequest("POST", "/check", strings.NewReader(`{"tool_name": "Bash", "tool_input": {"command": "ls"}}`))
		r.Host = host
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		d.routes().ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%q: %d, want %d", host, w.Code, want)
		}
	}
	if listener, err := listenHere("0.0.0.0:0"); err == nil {
		listener.Close()
		t.Error("it listens to everybody")
	}
}

// Many can ask at once, and settings that change count at once.
func TestAtOnce(t *testing.T) {
	dir := project(t)
	d, err := newDecisions(settings.Options{Dir: dir, Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(d.routes())
	defer server.Close()
	for _, want := range []string{"ask", "deny"} {
		var wg sync.WaitGroup
		for i := range 40 {
			wg.Go(func() {
				call := fmt.Sprintf(`{"id": %d, "tool_name": "Bash", "tool_input": {"command": "make target%d"}}`, i, i)
				if status, got := post(t, server.URL+"/check", "application/json", call); status != 200 || got.Decision != want || got.ID != float64(i) {
					t.Errorf("%d %+v", status, got)
				}
			})
		}
		wg.Wait()
		put(t, dir, `{"permissions": {"deny": ["Bash(git push:*)", "Bash(make:*)"]}}`)
	}
}

func TestBrokenSettings(t *testing.T) {
	dir := project(t)
	put(t, dir, `{"permissions": {"deny": [`)
	if _, err := newDecisions(settings.Options{Dir: dir, Home: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "settings.json") {
		t.Errorf("%v", err)
	}
}

// TestProgram: it says where it listens, answers, and when it is told to end it takes nobody
// new and lets what has begun come to its end.
func TestProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("nothing can be told to end there")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "-listen", "127.0.0.1:0", "-dir", project(t))
	cmd.Env = append(os.Environ(), "WEBSERVER_EXAMPLE=1", "HOME="+t.TempDir(), "GORACE=atexit_sleep_ms=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	const call = `{"tool_name": "Bash", "tool_input": {"command": "git push"}}`
	status, got := post(t, address.String(), "application/json", call)
	if status != 200 || got.Decision != "deny" || got.Rule != "Bash(git push:*)" {
		t.Errorf("%d %+v", status, got)
	}

	slow, err := net.Dial("tcp", address.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	fmt.Fprintf(slow, "POST /check HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", address.Host, len(call))
	answers := bufio.NewReader(slow)
	if begun, err := http.ReadResponse(answers, nil); err != nil || begun.StatusCode != http.StatusContinue {
		t.Fatalf("%v, %v", begun, err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for { // until it takes nobody new
		c, err := net.Dial("tcp", address.Host)
		if err != nil {
			break
		}
		c.Close()
	}
	fmt.Fprint(slow, call)
	response, err := http.ReadResponse(answers, nil)
	if err != nil || response.StatusCode != 200 {
		t.Errorf("who has begun is left alone: %v, %v", response, err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it did not end well: %v", err)
	}
}
