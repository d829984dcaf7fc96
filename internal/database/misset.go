package database

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// parameter is one that says how to connect: in the address, the environment or a service file.
type parameter struct {
	// says is how the driver begins what it says of a mistake in it.
	says string
	// name is that in the address, and variable that in the environment; empty where there is none.
	name, variable string
	permitted      string
}

const (
	certificates = "a file with certificates (PEM), or system for those that this machine trusts"
	ownKey       = "a file with a key (PEM), beside sslcert"
	protocols    = "3.0, 3.2 or latest, and the least not above the most"
	services     = "a service in ~/.pg_service.conf, or in the file that PGSERVICEFILE names"
	inTLS        = "failed to configure TLS ("
	duration     = "a duration such as 30m"
	count        = "a whole number"
)

// parameters are those in which a mistake keeps the driver from trying.
var parameters = []parameter{
	{inTLS + "sslmode", "sslmode", "PGSSLMODE", "disable, allow, prefer, require, verify-ca or verify-full"},
	{inTLS + "unable to read CA file", "sslrootcert", "PGSSLROOTCERT", certificates},
	{inTLS + "unable to add CA", "sslrootcert", "PGSSLROOTCERT", certificates},
	{inTLS + "both", "sslcert", "PGSSLCERT", "a file with a certificate (PEM), and sslkey beside it"},
	{inTLS + "unable to read cert", "sslcert", "PGSSLCERT", "a file with a certificate (PEM)"},
	{inTLS + "unable to load cert", "sslcert", "PGSSLCERT", "a file with the certificate (PEM) of sslkey"},
	{inTLS + "unable to read sslkey", "sslkey", "PGSSLKEY", ownKey},
	{inTLS + "failed to decode sslkey", "sslkey", "PGSSLKEY", ownKey},
	{inTLS + "unable to find sslpassword", "sslpassword", "PGSSLPASSWORD", "the password of sslkey"},
	{inTLS + "unable to decrypt key", "sslpassword", "PGSSLPASSWORD", "the password of sslkey"},
	{"invalid port", "port", "PGPORT", "a number from 1 to 65535"},
	{"could not match", "port", "PGPORT", "one port, or one for each host"},
	{"failed to read service", "service", "PGSERVICE", services},
	{"invalid connect_timeout", "connect_timeout", "PGCONNECT_TIMEOUT", "a whole number of seconds"},
	{"unknown target_session_attrs", "target_session_attrs", "PGTARGETSESSIONATTRS", "any, read-write, read-only, primary, standby or prefer-standby"},
	{"invalid min_protocol_version", "min_protocol_version", "PGMINPROTOCOLVERSION", protocols},
	{"min_protocol_version", "min_protocol_version", "PGMINPROTOCOLVERSION", protocols},
	{"invalid max_protocol_version", "max_protocol_version", "PGMAXPROTOCOLVERSION", protocols},
	{"unknown channel_binding", "channel_binding", "PGCHANNELBINDING", "disable, prefer or require"},
	{"invalid require_auth", "require_auth", "PGREQUIREAUTH", "ways to sign in, such as scram-sha-256, with commas"},
	{"cannot parse pool_max_conns", "pool_max_conns", "", count},
	{"pool_max_conns", "pool_max_conns", "", "1 or more"},
	{"cannot parse pool_min_conns", "pool_min_conns", "", count},
	{"cannot parse pool_min_idle_conns", "pool_min_idle_conns", "", count},
	{"cannot parse pool_max_conn_lifetime_jitter", "pool_max_conn_lifetime_jitter", "", duration},
	{"cannot parse pool_max_conn_lifetime", "pool_max_conn_lifetime", "", duration},
	{"cannot parse pool_max_conn_idle_time", "pool_max_conn_idle_time", "", duration},
	{"cannot parse pool_health_check_period", "pool_health_check_period", "", duration},
	{"cannot parse pool_ping_timeout", "pool_ping_timeout", "", duration},
	{"cannot parse statement_cache_capacity", "statement_cache_capacity", "", count},
	{"cannot parse description_cache_capacity", "description_cache_capacity", "", count},
	{"invalid default_query_exec_mode", "default_query_exec_mode", "", "cache_statement, cache_describe, describe_exec, exec or simple_protocol"},
}

// unreadable is why no connection is tried. What the driver says may have the password in it, so
// nothing of that is shown but the name of a file.
func unreadable(address string, err error) error {
	said := withoutAddress(err)
	for _, p := range parameters {
		if !strings.HasPrefix(said, p.says) {
			continue
		}
		if p.name == "port" && inAuthority(address) { // it may be part of a password
			return fmt.Errorf("the address cannot be read: its port is not %s (%s)", p.permitted, howToWrite)
		}
		if file, ok := errors.AsType[*fs.PathError](err); ok { // how to write to a file is no help here
			return fmt.Errorf("%s names a file that cannot be read: %v (it has to be %s)", p.place(address), file, p.permitted)
		}
		return fmt.Errorf("%s is wrong (it has to be %s)", p.place(address), p.permitted)
	}
	return errors.New("the address cannot be read (" + howToWrite + ")")
}

// withoutAddress is what the driver says is wrong, from its first word on; empty where that is not known.
func withoutAddress(err error) string {
	fault, ok := errors.AsType[*pgconn.ParseConfigError](err)
	if !ok {
		return ""
	}
	bare := *fault
	bare.ConnString = ""
	said, _ := strings.CutPrefix(bare.Error(), "cannot parse ``: ")
	return said
}

// place says where a parameter stands. The address counts before a service, and that before the
// environment.
func (p parameter) place(address string) string {
	inAddress := parametersOf(address)
	switch {
	case inAddress.Has(p.name):
		return p.name + " in the address"
	case p.name == "service":
		return "the environment variable " + p.variable
	case inAddress.Has("service") || os.Getenv("PGSERVICE") != "":
		return p.name + " of the service, or else the environment variable " + p.variable + ","
	case p.variable != "" && os.Getenv(p.variable) != "":
		return "the environment variable " + p.variable
	}
	return p.name + " in ~/.postgresql" // where the driver looks for certificates by default
}

// parametersOf are those of an address, also of one that names several hosts.
func parametersOf(address string) url.Values {
	_, query, _ := strings.Cut(address, "?")
	values, _ := url.ParseQuery(query) // what is left out there is no name of ours
	return values
}

// inAuthority reports whether the address has a port behind a host, or more than one host: then
// PGPORT does not count.
func inAuthority(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	if i := strings.IndexAny(rest, "@/"); i >= 0 && rest[i] == '@' {
		rest = rest[i+1:]
	}
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		rest = rest[:i]
	}
	if strings.HasPrefix(rest, "[") {
		_, rest, _ = strings.Cut(rest, "]")
	}
	return strings.ContainsAny(rest, ":,") && !parametersOf(address).Has("port")
}
