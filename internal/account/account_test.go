package account

import (
	"os"
	"strings"
	"testing"
)

// Whoever may set variables must not be able to pass for somebody else.
func TestA4_NoVariableSaysWhoAsks(t *testing.T) {
	before := Name()
	if user, host, found := strings.Cut(before, "@"); !found || user == "" || host == "" {
		t.Errorf("%q names no account", before)
	}
	for _, name := range []string{"USER", "LOGNAME", "USERNAME", "HOME", "HOSTNAME", "ASSENT_REQUESTER", "SUDO_USER"} {
		t.Setenv(name, "mallory")
	}
	if got := Name(); got != before {
		t.Errorf("%q became %q", before, got)
	}
	if host, err := os.Hostname(); err == nil && !strings.HasSuffix(before, "@"+host) {
		t.Errorf("%q is not on %s", before, host)
	}
}
