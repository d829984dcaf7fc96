package mcp

// AwaitEnd waits until the end of a server's connection is noticed. The server may still
// be dying.
func AwaitEnd(set *Set, name string) {
	s := set.server(name)
	s.mu.Lock()
	conn := s.conn
	s.mu.Unlock()
	<-conn.life.Done()
}
