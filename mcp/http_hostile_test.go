package mcp_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/tool"
)

// stuck is an official server behind a URL that at some point answers nothing any more.
func stuck(t *testing.T) (mcp.Server, *atomic.Bool) {
	var silent atomic.Bool
	server := site(t, official(), func(_ http.ResponseWriter, r *http.Request) bool {
		if !silent.Load() {
			return true
		}
		_, _ = r.Body.Read(make([]byte, 1<<20))
		<-r.Context().Done()
		return false
	})
	return server, &silent
}

func TestAWebServerThatIsStuck(t *testing.T) {
	server, silent := stuck(t)
	set := open(t, mcp.Options{Limits: mcp.Limits{Call: 300 * time.Millisecond}}, server)
	r := find(t, set, "mcp__web__double")
	silent.Store(true)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	want(t, run(ctx, r, `{"n":1}`), tool.Interrupted)
	want(t, run(t.Context(), r, `{"n":1}`), tool.Failed, "did not answer within 300ms")
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	began = time.Now()
	set.Close(t.Context()) // it does not answer the farewell either
	if took := time.Since(began); took > 8*time.Second {
		t.Errorf("the end took %v", took)
	}
}

func TestAWebServerThatDiesDuringACall(t *testing.T) {
	var dying atomic.Bool
	set := open(t, mcp.Options{}, site(t, official(), func(w http.ResponseWriter, r *http.Request) bool {
		if dying.Load() {
			panic(http.ErrAbortHandler) // the connection is gone without an answer
		}
		return true
	}))
	r := find(t, set, "mcp__web__double")
	dying.Store(true)
	want(t, run(t.Context(), r, `{"n":1}`), tool.Failed, `"web"`)
	dying.Store(false)
	want(t, run(t.Context(), r, `{"n":1}`), tool.Succeeded, "twice is 2")
}
