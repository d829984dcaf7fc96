// Package account says on whose behalf a process works, as the operating system knows it.
package account

import (
	"fmt"
	"os"
	"os/user"
	"strconv"
	"strings"
)

// Name is the account of this process, as "user@host". No variable of the environment counts:
// anybody can set one. In a user namespace, where anybody can choose his number, it is that of
// the number outside, as "uid 1000+userns@host".
func Name() string {
	name := "somebody"
	if uid := os.Getuid(); uid < 0 {
		if u, err := user.Current(); err == nil { // where users have no numbers
			name = u.Username
		}
	} else if name = outside(uid); name == "" {
		name = fmt.Sprintf("uid %d", uid)
		if u, err := user.LookupId(strconv.Itoa(uid)); err == nil && u.Username != "" {
			name = u.Username
		}
	}
	host, err := os.Hostname()
	if err != nil || host == "" {
		host = "unknown host"
	}
	return single(name + "@" + host)
}

// single is a name that a record can hold, and that nobody takes for several.
func single(name string) string {
	const none = "\uFFFD"
	return strings.ReplaceAll(strings.ToValidUTF8(name, none), comma, none)
}
