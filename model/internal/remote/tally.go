package remote

// Tally counts what a turn consists of and ends one that has no end.
type Tally struct{ content, blocks int }

// Add counts bytes of content.
func (t *Tally) Add(n int) error {
	if t.content += n; t.content > MaxContent {
		return ErrTooLarge
	}
	return nil
}

// Block counts a block.
func (t *Tally) Block() error {
	if t.blocks++; t.blocks > MaxBlocks {
		return ErrTooLarge
	}
	return nil
}
