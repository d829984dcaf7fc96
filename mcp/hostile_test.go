package mcp_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/tool"
)

// puppet is a server inside of the host that says what the test wants.
type puppet struct {
	mu sync.Mutex
	// tools are the pages of its list; a page "hang" is never sent.
	tools []string
	// call answers a call with a result; "" means never.
	call  func(params strictjson.Raw) string
	asked map[string]int
}

func (p *puppet) send(ctx context.Context, _ string, message []byte) ([]byte, error) {
	var m struct {
		ID     strictjson.Raw `json:"id"`
		Method string         `json:"method"`
		Params strictjson.Raw `json:"params"`
	}
	if err := strictjson.Unmarshal(message, &m); err != nil {
		return nil, err
	}
	p.mu.Lock()
	if p.asked == nil {
		p.asked = map[string]int{}
	}
	p.asked[m.Method]++
	result, call, tools := "{}", p.call, p.tools
	p.mu.Unlock()
	switch m.Method {
	case "initialize":
		result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"pup\u001b[31mpet","version":"1"}}`
	case "tools/list":
		var at struct {
			Cursor string `json:"cursor"`
		}
		_ = strictjson.Unmarshal(m.Params, &at)
		page := len(at.Cursor)
		result = fmt.Sprintf(`{"tools":[%s]}`, tools[page])
		if page+1 < len(tools) {
			result = fmt.Sprintf(`{"tools":[%s],"nextCursor":"%s"}`, tools[page], strings.Repeat("x", page+1))
		}
		if tools[page] == "hang" {
			result = ""
		}
	case "tools/call":
		result = call(m.Params)
	case "notifications/cancelled":
		if tools[0] == "hang" {
			result = ""
		}
	}
	if result == "" {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if m.ID == nil {
		return nil, nil
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result), nil
}

func (p *puppet) set(tools ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tools = tools
}

// times is how often the server was asked or told something.
func (p *puppet) times(method string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked[method]
}

func (p *puppet) open(t *testing.T, options mcp.Options, names ...string) *mcp.Set {
	t.Helper()
	options.Host = p.send
	set := mcp.Open(t.Context(), sdkServers(names...), options)
	t.Cleanup(func() { set.Close(context.Background()) })
	set.Wait(t.Context())
	return set
}

func named(name string) string {
	text, _ := strictjson.Marshal(name)
	return fmt.Sprintf(`{"name":%s,"inputSchema":{"type":"object"}}`, text)
}

// No name of a tool can get into another server's rules, or into a terminal.
func TestHostileNamesOfTools(t *testing.T) {
	names := []string{
		"\x1b[2J", "mcp__pay__refund", "__refund", "_", "a\u202eb", "ünï", "a b", "a\nb", "a\x00b", "../x", "Bash", "pay__refund", "refund(*)", "*", "a,b",
	}
	var listed []string
	for _, name := range names {
		listed = append(listed, named(name))
	}
	synctest.Test(t, func(t *testing.T) {
		p := &puppet{tools: []string{strings.Join(listed, ",")}}
		set := p.open(t, mcp.Options{}, "evil", "pay")
		seen := map[string]bool{}
		for _, r := range set.Tools() {
			name := r.Name()
			if seen[name] || !strings.HasPrefix(name, "mcp__evil__") && !strings.HasPrefix(name, "mcp__pay__") ||
				strings.IndexFunc(name, func(r rune) bool {
					return r > 'z' || !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", r)
				}) >= 0 {
				t.Errorf("a tool is called %q", name)
			}
			seen[name] = true
		}
		for _, name := range []string{"mcp__evil__mcp__pay__refund", "mcp__evil__Bash", "mcp__evil__pay__refund", "mcp__evil____refund"} {
			if !seen[name] {
				t.Errorf("there is no %s among %v", name, seen)
			}
		}
		// "a b", "a\nb", "a\x00b", "a,b" and the reversed one would all be a_b: nobody could
		// tell which one a rule means.
		if seen["mcp__evil__a_b"] {
			t.Error("one of five names was chosen")
		}
		s := status(t, set, "evil")
		if text := strings.Join(s.Notes, ""); strings.ContainsAny(text, "\x1b\n\x00\u202e") || !strings.Contains(text, `a\u202eb`) {
			t.Errorf("notes %q", text)
		}
		if s.Info != (mcp.Info{Name: "pup[31mpet", Version: "1"}) {
			t.Errorf("info %+v", s.Info)
		}
	})
}

func TestHostileSchemasAndDescriptions(t *testing.T) {
	deep := strings.Repeat(`{"items":`, 100) + `{}` + strings.Repeat(`}`, 100)
	synctest.Test(t, func(t *testing.T) {
		p := &puppet{tools: []string{
			`{"name":"deep","inputSchema":{"type":"object","properties":{"a":` + deep + `}}}`,
			`{"name":"text","inputSchema":"object"},{"name":"yes","inputSchema":true},{"name":"number","inputSchema":{"type":5}},{"name":"absent"}`,
			`{"name":"long","inputSchema":{"type":"object","title":"` + strings.Repeat("x", 300<<10) + `"}}`,
			`{"name":"talks","description":"` + strings.Repeat("é", 20<<10) + `","inputSchema":{"type":"object"}}`,
			named("fine"),
		}}
		set := p.open(t, mcp.Options{}, "s")
		var names []string
		for _, r := range set.Tools() {
			names = append(names, r.Name())
		}
		if got := strings.Join(names, " "); got != "mcp__s__talks mcp__s__fine" {
			t.Errorf("tools %s; %+v", got, status(t, set, "s"))
		}
		if d := find(t, set, "mcp__s__talks").Description(); len(d) > 17<<10 || !strings.HasSuffix(d, "é…") {
			t.Errorf("%d bytes of description", len(d))
		}
		notes := strings.Join(status(t, set, "s").Notes, "\n")
		for _, part := range []string{`"deep"`, "nested more than 64", `"text"`, `"yes"`, `"number"`, `"absent"`, `"long"`, "bytes, more than"} {
			if !strings.Contains(notes, part) {
				t.Errorf("the notes lack %s: %s", part, notes)
			}
		}
	})
}

// A message that is nested without end is none: the server that sends it is out.
func TestAnAbyss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &puppet{tools: []string{`{"name":"abyss","inputSchema":{"type":"object","default":` + strings.Repeat(`[`, 9000) + strings.Repeat(`]`, 9000) + `}}`}}
		if s := status(t, p.open(t, mcp.Options{}, "s"), "s"); s.State != mcp.Failed || !strings.Contains(s.Reason, "nesting depth") {
			t.Errorf("%+v", s)
		}
	})
}

// What a server says about all its tools together is bounded: it is kept in memory and
// goes to the model each time.
func TestAListThatIsTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var pages []string
		for page := range 9 {
			var tools []string
			for i := range 100 {
				tools = append(tools, fmt.Sprintf(`{"name":"t%d","description":"%s","inputSchema":{"type":"object"}}`, page*100+i, strings.Repeat("x", 10<<10)))
			}
			pages = append(pages, strings.Join(tools, ","))
		}
		set := (&puppet{tools: pages}).open(t, mcp.Options{}, "s")
		s := status(t, set, "s")
		if s.Tools < 700 || s.Tools > 900 || len(s.List) != s.Tools || len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "8388608 bytes") {
			t.Errorf("%d tools, notes %v", s.Tools, s.Notes)
		}
	})
}

func TestAResultOfManyBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		block := `{"type":"audio","mimeType":"` + strings.Repeat("m", 1000) + `","data":"AAAA"}`
		p := &puppet{tools: []string{named("go")}, call: func(strictjson.Raw) string {
			return `{"content":[` + strings.Repeat(block+",", 2_999) + block + `]}`
		}}
		got := run(t.Context(), find(t, p.open(t, mcp.Options{}, "s"), "mcp__s__go"), `{}`)
		want(t, got, tool.Succeeded, "[2000 more blocks of the result are left out]")
		if len(got.Text) > 200_000 {
			t.Errorf("%d bytes of text", len(got.Text))
		}
	})
}

func TestResultsThatFail(t *testing.T) {
	for result, part := range map[string]string{
		`{"isError":true,"content":[]}`: "did not say why",
		`{"isError":true,"content":[{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="}]}`: "did not say why",
		`{"isError":true,"content":[],"structuredContent":{"why":"no money"}}`:                       "no money",
		`{"isError":true,"content":[{"type":"text","text":"` + strings.Repeat("x", 200_000) + `"}]}`: "bytes of its text are missing",
	} {
		synctest.Test(t, func(t *testing.T) {
			p := &puppet{tools: []string{named("go")}, call: func(strictjson.Raw) string { return result }}
			got := run(t.Context(), find(t, p.open(t, mcp.Options{}, "s"), "mcp__s__go"), `{}`)
			want(t, got, tool.Failed, part)
			if got.Blocks != nil || len(got.Text) > 100_300 {
				t.Errorf("%d blocks, %d bytes", len(got.Blocks), len(got.Text))
			}
		})
	}
}

// Whoever reports progress is alive, but not for ever; the news are counted per call.
func TestProgressIsASignOfLife(t *testing.T) {
	for name, tt := range map[string]struct {
		every time.Duration
		takes time.Duration
		part  string
	}{
		"none":          {0, time.Minute, "did not answer within 1m0s"},
		"too seldom":    {61 * time.Second, time.Minute, "did not answer within 1m0s"},
		"now and then":  {50 * time.Second, 10 * time.Minute, "is still not done after 10m0s"},
		"without pause": {time.Second, 10 * time.Minute, "is still not done after 10m0s"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				token := make(chan string, 1)
				p := &puppet{tools: []string{named("go")}, call: func(params strictjson.Raw) string {
					var m struct {
						Meta struct {
							Token string `json:"progressToken"`
						} `json:"_meta"`
					}
					_ = strictjson.Unmarshal(params, &m)
					token <- m.Meta.Token
					return ""
				}}
				set := p.open(t, mcp.Options{Limits: mcp.Limits{Call: time.Minute}}, "s")
				ended := make(chan struct{})
				defer func() { close(ended); synctest.Wait() }()
				go func() {
					id := <-token
					for tt.every > 0 {
						select {
						case <-time.After(tt.every):
							_ = set.Deliver(t.Context(), "s", fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%q,"progress":1}}`, id))
						case <-ended:
							return
						}
					}
				}()
				began := time.Now()
				got := run(t.Context(), find(t, set, "mcp__s__go"), `{}`)
				want(t, got, tool.Failed, tt.part, "Whether it has done its work is not known")
				if took := time.Since(began); took != tt.takes {
					t.Errorf("it took %v", took)
				}
			})
		})
	}
}

// An interrupt does not wait for anybody.
func TestAnInterruptedCallReturnsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &puppet{tools: []string{named("go")}, call: func(strictjson.Raw) string { return "" }}
		set := p.open(t, mcp.Options{}, "s")
		r := find(t, set, "mcp__s__go")
		p.set("hang") // now the host does not even take the news
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		want(t, run(ctx, r, `{}`), tool.Interrupted)
		if took := time.Since(began); took != time.Second {
			t.Errorf("it took %v", took)
		}
		time.Sleep(2 * time.Second) // of the test's own clock
		synctest.Wait()
		if n := p.times("notifications/cancelled"); n != 1 {
			t.Errorf("told %d times", n)
		}
	})
}

// A list that changes without end costs one question each time somebody wants to know,
// and one that is never sent costs a few seconds and no tools.
func TestAListThatKeepsChanging(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &puppet{tools: []string{named("a")}}
		set := p.open(t, mcp.Options{}, "s")
		changed := func(times int) {
			for range times {
				if err := set.Deliver(t.Context(), "s", []byte(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)); err != nil {
					t.Error(err)
				}
			}
			time.Sleep(time.Minute) // of the test's own clock: the client gathers such news for a moment
			synctest.Wait()
		}
		before := set.Revision()
		set.Refresh(t.Context())
		if p.times("tools/list") != 1 || set.Revision() != before {
			t.Errorf("asked %d times", p.times("tools/list"))
		}
		p.set(named("b"))
		changed(100)
		set.Refresh(t.Context())
		set.Refresh(t.Context())
		if p.times("tools/list") != 2 || set.Revision() == before || len(set.Tools()) != 1 || set.Tools()[0].Name() != "mcp__s__b" {
			t.Errorf("asked %d times, tools %v", p.times("tools/list"), set.Tools())
		}
		p.set("hang")
		changed(1)
		began := time.Now()
		set.Refresh(t.Context())
		if took := time.Since(began); took > 6*time.Second {
			t.Errorf("it took %v", took)
		}
		set.Refresh(t.Context())
		if s := status(t, set, "s"); p.times("tools/list") != 3 || s.Tools != 1 || len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "does not list them") {
			t.Errorf("asked %d times, %+v", p.times("tools/list"), s)
		}
	})
}

// Which tools are left out people hear of each time the list changes, and once.
func TestAListThatChangesSaysWhatIsLeftOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var warned []string
		p := &puppet{tools: []string{named("a")}}
		set := p.open(t, mcp.Options{Warn: func(text string) { warned = append(warned, text) }}, "s")
		for _, tools := range [][]string{{named("a"), named("u.x"), named("u x")}, {named("a"), named("u.x"), named("u x")}} {
			p.set(tools...)
			if err := set.Deliver(t.Context(), "s", []byte(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)); err != nil {
				t.Error(err)
			}
			time.Sleep(time.Minute) // of the test's own clock
			synctest.Wait()
			set.Refresh(t.Context())
		}
		if len(warned) != 2 || !strings.Contains(warned[0], `the MCP server s: the tool "u.x" is left out`) {
			t.Errorf("%q", warned)
		}
	})
}

// A server that is dropped is gone, and the others stay.
func TestADroppedServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &puppet{tools: []string{named("a")}}
		set := p.open(t, mcp.Options{}, "s", "other")
		gone, before := set.Tools()[0], set.Revision()
		set.Drop(t.Context(), "s")
		set.Drop(t.Context(), "nobody")
		if len(set.Tools()) != 1 || len(set.Status()) != 1 || set.Status()[0].Name != "other" || set.Revision() == before {
			t.Errorf("%+v", set.Status())
		}
		want(t, run(t.Context(), gone, `{}`), tool.Failed, "it was removed")
		set.Close(t.Context())
		want(t, run(t.Context(), gone, `{}`), tool.Failed, "it was removed")
	})
}

// Nothing that may be secret is in what hosts are told about a server.
func TestTheStatusKeepsSecrets(t *testing.T) {
	set := open(t, mcp.Options{}, mcp.Server{
		Name: "web", Kind: mcp.HTTP, URL: "https://127.0.0.1:1/mcp?key=s3cret", Scope: "user", Headers: []mcp.Pair{{Name: "Authorization", Value: "Bearer s3cret"}},
	}, mcp.Server{Name: "run", Command: "no-such-program-anywhere", Env: []mcp.Pair{{Name: "TOKEN", Value: "s3cret"}}})
	for _, s := range set.Status() {
		if text := fmt.Sprintf("%+v", s); strings.Contains(text, "s3cret") || !strings.Contains(text, "Authorization") && !strings.Contains(text, "TOKEN") {
			t.Error(text)
		}
	}
	if s := status(t, set, "web"); s.Config.Scope != "user" || s.Config.URL != "https://127.0.0.1:1/mcp" {
		t.Errorf("%+v", s.Config)
	}
}
