package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/inbox"
	"github.com/assent-dev/assent/permission"
)

// each answers several calls one by one, each with a verdict of its own. What is refused, or
// an ID that means nothing, keeps nobody from the others, and makes the exit status 1; what
// is broken ends it.
func (d *counter) each(ids []string, answer func(id string) error) error {
	if len(ids) == 1 {
		return answer(ids[0])
	}
	var refused error
	for i, id := range ids {
		err := answer(id)
		if err == nil || err == errNo {
			refused = cmp.Or(err, refused)
			continue
		}
		worded := fmt.Errorf("%s: %w", id, inFlags(err))
		switch kind := clerk.KindOf(err); {
		case kind == clerk.NotFound || kind == clerk.Ambiguous:
			d.complain(worded.Error())
			refused = errNo
		case i+1 < len(ids):
			return fmt.Errorf("%w; nothing was said about %s", worded, strings.Join(ids[i+1:], ", "))
		default:
			return worded
		}
	}
	return refused
}

// together refuses a call of high risk among several: it is approved by itself, by somebody
// who has looked at it alone.
func (d *counter) together(ctx context.Context, id string) error {
	m, err := d.clerk.One(ctx, id, clerk.ToApprove)
	if err != nil {
		return err
	}
	p := &page{painter: d.painter(d.out)}
	p.line(fmt.Sprintf("%s: %s", m.Name(), inbox.Sentence(m.Call)))
	if err := p.flush(d.out); err != nil {
		return err
	}
	if clerk.ToApprove.Fits(m) && m.Risk() >= permission.HighRisk {
		return &clerk.Error{Kind: clerk.Refused, Said: fmt.Sprintf("the risk of %s is high, so it is not approved together with others: look at it (assent sessions show %s), then: assent approve %s", m.Name(), m.Name(), m.Name())}
	}
	return nil
}
