package assent

// ExternalFlags are the arguments that a program gets.
func ExternalFlags(options ...Option) ([]string, error) {
	c, err := configure(options)
	if err != nil {
		return nil, err
	}
	return c.flags()
}
