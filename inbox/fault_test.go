package inbox

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/testpostgres"
)

// A database that is away is nothing that the server has done wrong, and where it is is nobody's
// business who only looks at calls: its user, its host and its name stay in the log.
func TestA3_ADatabaseThatIsAwayIsNotNamed(t *testing.T) {
	const name = "postgres://keeper@db.internal:5432/assent"
	away := &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(10, 1, 2, 3), Port: 5432}, Err: syscall.ECONNREFUSED}
	for _, c := range []struct {
		what    string
		err     error
		status  int
		code    Code
		message string
	}{
		{"it is away", &approval.Unusable{Name: name, Err: away}, http.StatusServiceUnavailable, Busy, "the database does not answer at the moment"},
		{"it is away, in the middle of something", fmt.Errorf("the session cannot be read: %w", &approval.Unusable{Name: name, Err: away}), http.StatusServiceUnavailable, Busy, "the database does not answer at the moment"},
		{"it only reads", readOnly(t, name), http.StatusServiceUnavailable, Busy, "the database only reads at the moment"},
		{"somebody has to do something", &approval.Unusable{Name: name, Err: errors.New("permission denied for table tickets")}, http.StatusInternalServerError, Internal, "permission denied for table tickets"},
		{"a file", &approval.Unusable{Name: "/state/state.db", Err: syscall.ENOSPC}, http.StatusInternalServerError, Internal, "/state/state.db"},
	} {
		f := faultOf(c.err)
		if f.Status != c.status || f.Code != c.code || !strings.Contains(f.Message, c.message) {
			t.Errorf("%s: %d %s", c.what, f.Status, f)
		}
		for _, hidden := range []string{"keeper", "db.internal", "10.1.2.3", "5432", "SQLSTATE"} {
			if strings.Contains(f.Message, hidden) {
				t.Errorf("%s: everybody is told %q: %s", c.what, hidden, f.Message)
			}
		}
	}
}

// readOnly is what a PostgreSQL of that name says that only reads.
func readOnly(t *testing.T, name string) error {
	t.Helper()
	db, err := database.Connect(t.Context(), testpostgres.Database(t)+"&default_transaction_read_only=on")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	_, err = approval.On(t.Context(), db)
	unusable, ok := errors.AsType[*approval.Unusable](err)
	if !ok {
		t.Fatal(err)
	}
	return &approval.Unusable{Name: name, Err: unusable.Err}
}
