package driver

import "context"

// Close ends the program: work is interrupted, its input is closed, and when that does
// not help it gets SIGTERM and then SIGKILL, with all that it has started. Hooks at
// SessionEnd run behind it. Nothing of it is left when Close returns. ctx ends the
// patience. An error says that the program did not end in good order, unless somebody
// has been told already. Further calls return the same.
func (d *Driver) Close(ctx context.Context) error {
	d.ending.Do(func() { d.ended = d.close(ctx) })
	return d.ended
}

func (d *Driver) close(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() {
		close(d.hurry)
		d.fail(ErrStubborn)
	})()
	d.stopWork()
	d.prompts.Wait() // it takes its own measures against a program that does not stop
	d.out.finish()
	close(d.closing)
	<-d.told
	d.hooks.sessionEnd(ctx, d.SessionID())
	d.hooks.release(ctx)
	d.awaitTasks(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	exit := d.exit
	exit.Last = d.last
	// A program whose last work went wrong says so once more when it ends.
	inOrder := exit.Code == 0 || exit.Code == 1 && d.last != nil && d.last.IsError
	if d.reported || exit.Cause == nil && inOrder {
		return nil
	}
	d.reported = true
	return &exit
}

// awaitTasks waits for the answers that are still made, but not for a function that does
// not care about the end of its context.
func (d *Driver) awaitTasks(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.tasks.Wait()
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}
