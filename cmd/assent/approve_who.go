package main

import "github.com/assent-dev/assent/internal/account"

// whoami is who answers, or wants a call, as the operating system knows it: a variable of the
// environment can be set by anybody.
func whoami() string { return account.Name() }
