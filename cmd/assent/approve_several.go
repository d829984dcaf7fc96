package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/inbox"
	"github.com/assent-dev/assent/inbox/client"
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
		worded := fmt.Errorf("%s: %w", id, d.inFlags(err))
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
	one := readFirst{name: m.Name(), sentence: inbox.Sentence(m.Call), shown: inbox.ShownBy(m.Call, m.Places()), leads: inbox.LeadsTo(m.Call, m.Places()), input: clerk.Pretty(m.Call.Input), change: d.clerk.ChangeNow(m)}
	if err := d.present(one); err != nil {
		return err
	}
	if clerk.ToApprove.Fits(m) && m.Risk() >= permission.HighRisk {
		return notTogether(m.Name())
	}
	if m.Unheard != "" {
		return unheardTogether(m.Name(), m.Unheard)
	}
	return d.askAlone(one)
}

// unheard says before a call is approved why nobody can tell whether it was denied elsewhere.
func (d *counter) unheard(name, why string) error {
	if why == "" {
		return nil
	}
	p := &page{painter: d.painter(d.out)}
	p.line(policy.Visible(name) + ": " + p.text(yellow, policy.Visible(why)))
	return p.flush(d.out)
}

// unheardTogether refuses a call among several that may have been denied elsewhere: whoever approves it
// reads that first.
func unheardTogether(name, why string) error {
	return &clerk.Error{Kind: clerk.Refused, Said: fmt.Sprintf("%s is not approved together with others: %s (approve it by itself)", name, policy.Visible(why))}
}

// shownAlone shows a call that is approved by itself, if its sentence does not show all of it or it may
// have been denied, and asks about it then. Whoever has written the input or the answers knows what runs.
func (d *counter) shownAlone(id string, f approveFlags, p clerk.Proposal) error {
	one := readFirst{name: id, sentence: inbox.Sentence(p.Call), shown: inbox.ShownBy(p.Call, p.Places), leads: inbox.LeadsTo(p.Call, p.Places), input: clerk.Pretty(p.Call.Input), unheard: p.Unheard, change: p.Change}
	if !f.several && one.unheard == "" && f.writesInput() { // which is not all that decides over the file
		return d.tellChange(p.Change)
	}
	if f.several || one.unheard == "" && one.shown == client.InFull {
		return nil
	}
	if err := d.present(one); err != nil {
		return err
	}
	return d.askAlone(one)
}

// readsFirst: all of a call at a server is to be read before it is approved. One that needs a
// word is shown with that.
func (f *approveFlags) readsFirst(seen client.Detail) bool {
	if seen.Shown == client.InFull && seen.Unheard == "" || seen.State != "pending" && seen.State != "expired" {
		return false
	}
	return f.several || seen.Confirm == nil && (seen.Unheard != "" || !f.writesInput())
}

// readFirst is a call that a person reads before it is approved.
type readFirst struct {
	name, sentence string
	// shown is how much of the call the sentence shows, and leads where it leads beyond that.
	shown client.Shown
	leads string
	// input is what would run, line by line.
	input []string
	// unheard is why nobody can say whether it was denied elsewhere.
	unheard string
	// change is what it would do to its file; nil for a call that changes none.
	change *clerk.FileChange
}

// present says what a call would do before it is approved, and shows all of its input where the
// sentence does not: what it leaves out may be what matters.
func (d *counter) present(one readFirst) error {
	p := &page{painter: d.painter(d.out)}
	p.line(fmt.Sprintf("%s: %s", policy.Visible(one.name), one.sentence))
	p.leads(one.leads)
	if why := inbox.WhyAlone(one.shown); why != "" {
		p.line("  " + why + "; this is all of it:")
		for _, line := range one.input {
			p.line("    " + line)
		}
	}
	p.change(one.change)
	return p.flush(d.out)
}

// tellChange shows what a call does to its file to whoever has read the rest, or has written it.
func (d *counter) tellChange(change *clerk.FileChange) error {
	p := &page{painter: d.painter(d.err)}
	p.change(change)
	return p.flush(d.err)
}

// askAlone asks the person at the terminal about a call that is not shown in full by its
// sentence, or that may have been denied: the yes was given before all of that was there to be read.
func (d *counter) askAlone(one readFirst) error {
	if one.shown == client.InFull && one.unheard == "" || !d.somebodyAnswers() {
		return nil
	}
	return d.saysYes("Approve "+policy.Visible(one.name)+"?", policy.Visible(one.name)+" was not approved")
}
