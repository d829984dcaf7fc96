package database

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever keeps anybody from trying to connect is named, with what may stand there, and not blamed
// on the password. Nothing of the address is shown that may be secret.
func TestWhatIsSetWrong(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.pem")
	must(t, os.WriteFile(empty, []byte("no certificate: canary-file"), 0o600))
	home := t.TempDir()
	must(t, os.Mkdir(filepath.Join(home, ".postgresql"), 0o700))
	must(t, os.WriteFile(filepath.Join(home, ".postgresql", "root.crt"), nil, 0o600))
	served := filepath.Join(home, "services.conf")
	must(t, os.WriteFile(served, []byte("[ours]\nsslmode=canary\n"), 0o600))
	const (
		modes   = "(it has to be disable, allow, prefer, require, verify-ca or verify-full)"
		file    = "(it has to be a file with certificates (PEM), or system for those that this machine trusts)"
		port    = "(it has to be a number from 1 to 65535)"
		service = "(it has to be a service in ~/.pg_service.conf, or in the file that PGSERVICEFILE names)"
		missing = "names a file that cannot be read: open /nowhere/ca.pem: "
	)
	for _, c := range []struct{ name, rest, variables, want string }{
		{"sslmode with another line", "?sslmode=verify_full", "", "sslmode in the address is wrong " + modes},
		{"sslmode in other letters", "?sslmode=Verify-Full", "", "sslmode in the address is wrong " + modes},
		{"no sslmode", "?sslmode=canary", "", "sslmode in the address is wrong " + modes},
		{"PGSSLMODE", "", "PGSSLMODE=verify_full", "the environment variable PGSSLMODE is wrong " + modes},
		{"sslmode before PGSSLMODE", "?sslmode=canary", "PGSSLMODE=verify-full", "sslmode in the address is wrong " + modes},
		{"sslmode of several hosts", ",db2.example.com:5433/none?sslmode=canary", "", "sslmode in the address is wrong " + modes},
		{"no certificate", "?sslrootcert=" + empty, "", "sslrootcert in the address is wrong " + file},
		{"no certificate, PGSSLROOTCERT", "", "PGSSLROOTCERT=" + empty, "the environment variable PGSSLROOTCERT is wrong " + file},
		{"no file", "?sslmode=verify-full&sslrootcert=/nowhere/ca.pem", "", "sslrootcert in the address " + missing},
		{"no file, PGSSLROOTCERT", "?sslmode=verify-full", "PGSSLROOTCERT=/nowhere/ca.pem", "the environment variable PGSSLROOTCERT " + missing},
		{"a certificate alone", "?sslcert=" + empty, "", "sslcert in the address is wrong (it has to be a file with a certificate (PEM), and sslkey beside it)"},
		{"no key", "?sslcert=" + empty + "&sslkey=" + empty, "", "sslkey in the address is wrong (it has to be a file with a key (PEM), beside sslcert)"},
		{"PGPORT", "", "PGPORT=canary", "the environment variable PGPORT is wrong " + port},
		{"PGPORT is too large", "", "PGPORT=65536", "the environment variable PGPORT is wrong " + port},
		{"the port as a parameter", "?port=canary", "", "port in the address is wrong " + port},
		{"the port", ":canary/none", "PGPORT=5432", "the address cannot be read: its port is not a number from 1 to 65535 (" + howToWrite + ")"},
		{"several ports", "", "PGPORT=1,2", "the environment variable PGPORT is wrong (it has to be one port, or one for each host)"},
		{"PGSERVICE", "", "PGSERVICE=canary", "the environment variable PGSERVICE is wrong " + service},
		{"PGSERVICE, whose file is missing", "", "PGSERVICE=canary PGSERVICEFILE=/nowhere/canary", "the environment variable PGSERVICE is wrong " + service},
		{"a service", "?service=canary", "", "service in the address is wrong " + service},
		{"a service says so", "", "PGSERVICE=ours PGSERVICEFILE=" + served, "sslmode of the service, or else the environment variable PGSSLMODE, is wrong " + modes},
		{"what lies there by itself", "", "HOME=" + home, "sslrootcert in ~/.postgresql is wrong " + file},
		{"a timeout", "", "PGCONNECT_TIMEOUT=canary", "the environment variable PGCONNECT_TIMEOUT is wrong (it has to be a whole number of seconds)"},
		{"a kind of server", "?target_session_attrs=canary", "", "target_session_attrs in the address is wrong (it has to be any, read-write, read-only, primary, standby or prefer-standby)"},
		{"a version", "?min_protocol_version=canary", "", "min_protocol_version in the address is wrong (it has to be 3.0, 3.2 or latest, and the least not above the most)"},
		{"a binding", "", "PGCHANNELBINDING=canary", "the environment variable PGCHANNELBINDING is wrong (it has to be disable, prefer or require)"},
		{"a way to sign in", "?require_auth=canary", "", "require_auth in the address is wrong (it has to be ways to sign in, such as scram-sha-256, with commas)"},
		{"how many", "?sslmode=verify-full&pool_max_conns=canary", "", "pool_max_conns in the address is wrong (it has to be a whole number)"},
		{"too few", "?sslmode=verify-full&pool_max_conns=0", "", "pool_max_conns in the address is wrong (it has to be 1 or more)"},
		{"how long", "?sslmode=verify-full&pool_max_conn_lifetime=canary", "", "pool_max_conn_lifetime in the address is wrong (it has to be a duration such as 30m)"},
		{"no parameter", "?canary", "", "the address cannot be read (" + howToWrite + ")"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("HOME", t.TempDir())
			for _, v := range strings.Fields(c.variables) {
				name, value, _ := strings.Cut(v, "=")
				t.Setenv(name, value)
			}
			rest := c.rest
			if !strings.Contains(rest, "/none") {
				rest = "/none" + rest
			}
			_, err := Connect(t.Context(), "postgres://ann:canary@db.example.com"+rest)
			if err == nil || !strings.Contains(err.Error(), " cannot be used: "+c.want) {
				t.Fatalf("%v\nwant %s", err, c.want)
			}
			if strings.Contains(err.Error(), "canary") {
				t.Errorf("%v", err)
			}
		})
	}
}
