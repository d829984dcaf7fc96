package testpostgres

import (
	"fmt"
	"os"
	"sync"
	"testing"
)

// shared is the server of all tests of a process that only want a database.
var shared struct {
	mu     sync.Mutex
	server *Server
}

// Database makes an empty database in a server that the tests of this process share, and is
// its address. The process ends that server with [Stop].
func Database(tb testing.TB) string {
	tb.Helper()
	return sharedServer(tb).Database(tb)
}

func sharedServer(tb testing.TB) *Server {
	tb.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.server == nil {
		s, err := start("", []string{Quick})
		if err != nil {
			tb.Fatal(err)
		}
		shared.server = s
	}
	return shared.server
}

// Stop ends the server that tests have shared, if there is one. It is for the end of TestMain.
func Stop() {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.server == nil {
		return
	}
	if err := shared.server.remove(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	shared.server = nil
}

// Main is TestMain for a package whose tests share a server.
func Main(m *testing.M) {
	code := m.Run()
	Stop()
	os.Exit(code)
}
