package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/inbox"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
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

// together shows a call that is approved with others, and refuses one of high risk: it is
// approved by itself, by somebody who has looked at it alone.
func (d *counter) together(ctx context.Context, id string) error {
	m, err := d.clerk.One(ctx, id, clerk.ToApprove)
	if err != nil {
		return err
	}
	if err := d.oneOfSeveral(m.Name(), inbox.Sentence(m.Call), clerk.Pretty(m.Call.Input)); err != nil {
		return err
	}
	if clerk.ToApprove.Fits(m) && m.Risk() >= permission.HighRisk {
		return notTogether(m.Name())
	}
	return nil
}

// oneOfSeveral says what a call would do before it is approved with others, and shows all of
// its input where a part of the sentence is masked: that part may be what matters.
func (d *counter) oneOfSeveral(name, sentence string, input []string) error {
	p := &page{painter: d.painter(d.out)}
	p.line(fmt.Sprintf("%s: %s", policy.Visible(name), sentence))
	if inbox.HidesPart(sentence) {
		p.line("  a part of it is masked; this is all of it:")
		for _, line := range input {
			p.line("    " + line)
		}
	}
	return p.flush(d.out)
}
