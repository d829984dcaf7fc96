//go:build unix

package launch

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/internal/durable"
)

// A server reads --mcp-config anew for each session that goes on, and a project can give the
// name to the tickets, which the server has open.
func TestA2_AListOfServersIsNotTheTickets(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "state.db"), filepath.Join(dir, "servers.json")
	if err := errors.Join(os.WriteFile(file, []byte(`{"mcpServers":{}}`), 0o600), os.Link(file, link)); err != nil {
		t.Fatal(err)
	}
	s := &Session{}
	if _, err := s.configured(link); err != nil {
		t.Fatal(err)
	}
	kept, err := durable.Keep(file)
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Release()
	if _, err := s.configured(link); !errors.Is(err, durable.ErrKept) {
		t.Errorf("%v", err)
	}
}
