package database

import (
	"crypto/tls"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// Encryption is what protects the way to the database.
type Encryption uint8

// The kinds of protection, the weakest first.
const (
	// Unprotected is a connection to another machine that may go without TLS. Somebody has allowed it.
	Unprotected Encryption = iota
	// Unverified is TLS with whoever answers.
	Unverified
	// AnyName is TLS with any server whose certificate is good, whatever its name is.
	AnyName
	// Verified is TLS with the server that the address names.
	Verified
	// Local is a connection that does not leave this machine.
	Local
)

// Encryption is what protects the way to this database.
func (d *DB) Encryption() Encryption { return d.encryption }

// unencrypted is the error for an address of another machine to which connections may go without TLS.
type unencrypted struct{ host string }

func (e *unencrypted) Error() string {
	return fmt.Sprintf("the connection to %s may go without TLS (add sslmode=verify-full to the address; docs/machines.md has other ways)", e.host)
}

// allowing is the parameter of an address that names a host to which connections may go without TLS.
const allowing = "insecure_no_tls"

// takeAllowed takes the hosts out of an address to which connections may go without TLS: the driver
// does not know them.
func takeAllowed(address string) (rest string, hosts []string) {
	u, err := url.Parse(address)
	if err != nil || !u.Query().Has(allowing) {
		return address, nil
	}
	query := u.Query()
	for _, list := range query[allowing] {
		hosts = append(hosts, strings.Split(list, ",")...)
	}
	query.Del(allowing)
	u.RawQuery = query.Encode()
	return u.String(), hosts
}

// protection is what protects the weakest of the ways that the driver may take, whatever has said so:
// the address, the environment or a file. The error is that one may go without TLS to a host that
// nobody has allowed.
func protection(config *pgconn.Config, allowed []string) (Encryption, error) {
	weakest := Local
	ways := append([]*pgconn.FallbackConfig{{Host: config.Host, Port: config.Port, TLSConfig: config.TLSConfig}}, config.Fallbacks...)
	for _, way := range ways {
		one := protectionOf(way)
		if one == Unprotected && !slices.Contains(allowed, way.Host) {
			return one, &unencrypted{way.Host}
		}
		weakest = min(weakest, one)
	}
	return weakest, nil
}

func protectionOf(way *pgconn.FallbackConfig) Encryption {
	switch {
	case staysHere(way):
		return Local
	case way.TLSConfig == nil:
		return Unprotected
	}
	return verification(way.TLSConfig)
}

func verification(c *tls.Config) Encryption {
	switch {
	case !c.InsecureSkipVerify:
		return Verified
	case c.VerifyPeerCertificate != nil:
		return AnyName
	}
	return Unverified
}

// staysHere reports whether a connection does not leave this machine.
func staysHere(way *pgconn.FallbackConfig) bool {
	if network, _ := pgconn.NetworkAddress(way.Host, way.Port); network == "unix" {
		return true
	}
	ip, err := netip.ParseAddr(way.Host)
	return way.Host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}
