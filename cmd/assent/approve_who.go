package main

import (
	"fmt"
	"os"
	"os/user"
	"strconv"
)

// whoami is who answers, as the operating system knows it: a variable of the environment
// can be set by anybody.
func whoami() string {
	name := "somebody"
	if uid := os.Getuid(); uid >= 0 {
		name = fmt.Sprintf("uid %d", uid)
		if u, err := user.LookupId(strconv.Itoa(uid)); err == nil && u.Username != "" {
			name = u.Username
		}
	} else if u, err := user.Current(); err == nil { // where users have no numbers
		name = u.Username
	}
	host, err := os.Hostname()
	if err != nil || host == "" {
		host = "unknown host"
	}
	return name + "@" + host
}
