package process

import "time"

// interrupt waits a moment for the end of the output; closing the file then ends the
// reading.
func (p *pipe) interrupt() {
	timer := time.NewTimer(500 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-timer.C:
	}
}
