package driver

// WithRoom is the options of a program for which less may wait.
func (o Options) WithRoom(bytes int) Options {
	o.maxUnread = bytes
	return o
}
