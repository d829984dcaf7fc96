package database

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Nobody connects to another machine without TLS, or where it may be left out, unless the address
// names that machine: whoever says so, and however the host is written.
func TestS26_NoConnectionToAnotherMachineWithoutTLS(t *testing.T) {
	authority := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(authority, []byte(certificate), 0o600); err != nil {
		t.Fatal(err)
	}
	const refused = Unprotected
	for _, c := range []struct {
		name, address, mode string
		want                Encryption
		refused             string
	}{
		{"nothing is said", "postgres://ann@db.example.com/none", "", refused, "db.example.com"},
		{"an address of the network", "postgres://ann@192.0.2.1/none", "", refused, "192.0.2.1"},
		{"IPv6", "postgres://ann@[2001:db8::1]/none", "", refused, "2001:db8::1"},
		{"the other scheme", "postgresql://ann@db.example.com/none", "", refused, "db.example.com"},
		{"disable", "postgres://ann@db.example.com/none?sslmode=disable", "", refused, "db.example.com"},
		{"allow", "postgres://ann@db.example.com/none?sslmode=allow", "", refused, "db.example.com"},
		{"prefer", "postgres://ann@db.example.com/none?sslmode=prefer", "", refused, "db.example.com"},
		{"the environment", "postgres://ann@db.example.com/none", "disable", refused, "db.example.com"},
		{"the address before the environment", "postgres://ann@db.example.com/none?sslmode=prefer", "verify-full", refused, "db.example.com"},
		{"the host as a parameter", "postgres:///none?host=db.example.com", "", refused, "db.example.com"},
		{"one of several", "postgres://ann@127.0.0.1,db.example.com/none", "", refused, "db.example.com"},
		{"another one is allowed", "postgres://ann@db.example.com/none?insecure_no_tls=other.example.com", "", refused, "db.example.com"},
		{"all are allowed", "postgres://ann@db.example.com/none?insecure_no_tls=*", "", refused, "db.example.com"},
		{"a name that looks local", "postgres://ann@localhost.example.com/none", "", refused, "localhost.example.com"},

		{"require", "postgres://ann@db.example.com/none?sslmode=require", "", Unverified, ""},
		{"require, in the environment", "postgres://ann@db.example.com/none", "require", Unverified, ""},
		{"require with an authority", "postgres://ann@db.example.com/none?sslmode=require&sslrootcert=" + authority, "", AnyName, ""},
		{"verify-ca", "postgres://ann@db.example.com/none?sslmode=verify-ca", "", AnyName, ""},
		{"verify-full", "postgres://ann@db.example.com/none?sslmode=verify-full", "", Verified, ""},
		{"verify-full, in the environment", "postgres://ann@db.example.com/none", "verify-full", Verified, ""},
		{"the authorities of the system", "postgres://ann@db.example.com/none?sslrootcert=system", "", Verified, ""},
		{"it is allowed", "postgres://ann@db.example.com/none?insecure_no_tls=db.example.com", "", Unprotected, ""},
		{"two are allowed", "postgres://ann@a.example.com,b.example.com/none?sslmode=disable&insecure_no_tls=a.example.com,b.example.com", "", Unprotected, ""},
		{"this machine", "postgres://ann@127.0.0.1/none", "", Local, ""},
		{"this machine by name", "postgres://ann@localhost/none?sslmode=disable", "", Local, ""},
		{"this machine by IPv6", "postgres://ann@[::1]/none", "", Local, ""},
		{"a socket", "postgres:///none?host=/run/postgresql", "disable", Local, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.mode != "" {
				t.Setenv("PGSSLMODE", c.mode)
			}
			address, allowed := takeAllowed(c.address)
			config, err := pgxpool.ParseConfig(address)
			if err != nil {
				t.Fatal(err)
			}
			got, err := protection(&config.ConnConfig.Config, allowed)
			var without *unencrypted
			if c.refused != "" {
				if !errors.As(err, &without) || without.host != c.refused {
					t.Errorf("%v, %v", got, err)
				}
				_, err := Connect(t.Context(), c.address) // which asks nobody
				if !errors.As(err, &without) || !strings.Contains(err.Error(), "sslmode=verify-full") {
					t.Errorf("%v", err)
				}
				return
			}
			if err != nil || got != c.want {
				t.Errorf("%v, %v", got, err)
			}
			if _, unknown := config.ConnConfig.RuntimeParams[allowing]; unknown {
				t.Error("the server is asked for a parameter that it does not know")
			}
		})
	}
}

// An authority whose file is missing is named.
func TestAnAuthorityThatIsMissing(t *testing.T) {
	_, err := Connect(t.Context(), "postgres://ann@db.example.com/none?sslmode=verify-full&sslrootcert=/nowhere/ca.pem")
	if err == nil || !strings.Contains(err.Error(), "sslrootcert") || !strings.Contains(err.Error(), "/nowhere/ca.pem") {
		t.Error(err)
	}
}

// certificate is one of an authority, made with openssl for this test.
const certificate = `-----BEGIN CERTIFICATE-----
MIIBijCCAS+gAwIBAgIUTks6A12U38dOJaSa7KOqUiqIUgAwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOdGVzdCBhdXRob3JpdHkwIBcNMjYxMTE4MjA0OTQxWhgPMjEy
NjEwMjUyMDQ5NDFaMBkxFzAVBgNVBAMMDnRlc3QgYXV0aG9yaXR5MFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEmNd+DJRzIVo4KQjTV1pXuHQHXnPcuF0KTs06W81p
4PGbS1Z0JNVA/KMLR16PLB9C3AUyZ00FRcQviIInOFvqAqNTMFEwHQYDVR0OBBYE
FHRwcommJvV/3lZxshum03Ys3vHpMB8GA1UdIwQYMBaAFHRwcommJvV/3lZxshum
03Ys3vHpMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIhALglVydt
XpxZhPQOKDYzzBJcw7ovWj/uk1t0bqjJnzFzAiEAul3iV0yu2AeG7Vy1ScO5z6Sf
phptZ48cOSLZFh4zR1M=
-----END CERTIFICATE-----
`
