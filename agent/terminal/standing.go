package terminal

import "context"

// standing is the question on the screen, for somebody who has lost sight of it: the
// window has another size, or the process was stopped and goes on. It is made anew each
// time it is shown.
type standing struct{ page, sign func() string }

// show prints a question.
func (t *Terminal) show(page func() string) {
	t.stand(page)
	t.write(page())
}

// stand says which question is on the screen.
func (t *Terminal) stand(page func() string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.question = standing{page: page}
}

// sign prints what stands before the answer.
func (t *Terminal) sign(sign func() string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.question.sign = sign
	t.write(sign())
}

// recall shows what waits for the person: the process was stopped, and others have used
// the screen since.
func (t *Terminal) recall() {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch q := t.question; {
	case t.asking && q.page != nil:
		t.write("\n" + q.page())
		if q.sign != nil {
			t.write(q.sign())
		}
	case t.prompt != "":
		t.write(t.prompt)
	}
}

// discard throws away an answer that is half typed to a question which is over. The rest
// of it is yet to be typed: whoever reads next waits for that.
func (t *Terminal) discard(ctx context.Context) {
	_ = t.dev.fresh(ctx)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stale = true
}

// settled throws away what belongs to a question that somebody else has answered.
func (t *Terminal) settled(ctx context.Context) error {
	t.mu.Lock()
	stale := t.stale
	t.stale = false
	t.mu.Unlock()
	if !stale {
		return nil
	}
	return t.dev.fresh(ctx)
}
