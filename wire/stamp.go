package wire

// Mark says which message of which session it is, for somebody who prints none.
func Mark(m Message, session string) {
	s := m.stamp()
	s.SessionID = session
	if s.UUID == "" {
		s.UUID = NewUUID()
	}
}
