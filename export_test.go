package assent

// ManagedFiles puts the administrator's files elsewhere. It is for tests: a program must not
// be able to do without them.
func ManagedFiles(paths ...string) Option {
	return func(c *config) error {
		c.Options.Settings.ManagedFiles = paths
		return nil
	}
}
