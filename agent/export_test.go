package agent

import "github.com/assent-dev/assent/permission"

// Permissions are those in force, for tests.
func (a *Agent) Permissions() *permission.Context { return a.context() }
