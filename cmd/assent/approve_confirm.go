package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/inbox"
	"github.com/assent-dev/assent/policy"
)

// A call of high risk runs only after a person has typed the word that names what is at
// stake, here as at a server: a yes in a script, or to the wrong ID, is soon given.

// dangerous is a call of high risk as a person is shown it before the word is asked for.
type dangerous struct {
	name, sentence string
	// word is to be typed, and why says what is dangerous.
	word, why string
	cwd       string
	// leads says where the call leads that is not the path as given; see [inbox.LeadsTo].
	leads string
	// input is what would run, line by line.
	input []string
	// change is what it would do to its file; nil for a call that changes none.
	change *clerk.FileChange
	// at are the flags that name the server at which it waits; empty when it waits here.
	at string
}

// agree lets a call run if its risk is not high, or if the person has typed its word.
func (d *counter) agree(id string, f approveFlags) func(clerk.Proposal) error {
	return func(p clerk.Proposal) error {
		if err := d.unheard(id, p.Unheard); err != nil {
			return err
		}
		word, why := inbox.ConfirmWord(p.Call, p.Judgement, p.Parked)
		if word == "" {
			return d.shownAlone(id, f, p)
		}
		if f.several {
			return notTogether(id)
		}
		return d.confirm(dangerous{name: id, sentence: inbox.Sentence(p.Call), word: word, why: why, cwd: p.Call.Cwd, leads: inbox.LeadsTo(p.Call, p.Places), input: clerk.Pretty(p.Call.Input), change: p.Change}, f.confirm)
	}
}

// notTogether refuses a call of high risk among several: it is approved by itself, by
// somebody who has looked at it alone.
func notTogether(id string) error {
	return &clerk.Error{Kind: clerk.Refused, Said: fmt.Sprintf("the risk of %s is high, so it is not approved together with others: look at it (assent sessions show %s), then: assent approve %s", id, id, id)}
}

// confirm shows a call and wants its word: the one of --confirm, or the one that the person
// at the terminal types.
func (d *counter) confirm(c dangerous, given []string) error {
	if slices.Contains(given, c.word) {
		return d.tellChange(c.change)
	}
	p := &page{painter: d.painter(d.err)}
	p.line(fmt.Sprintf("%s: %s", policy.Visible(c.name), c.sentence))
	p.line("  " + p.text(red, "high risk") + ": " + c.why)
	p.line("  in " + policy.Visible(c.cwd))
	p.leads(c.leads)
	for _, line := range c.input {
		p.line("    " + line)
	}
	p.change(c.change)
	if err := p.flush(d.err); err != nil {
		return err
	}
	if len(given) > 0 {
		return &clerk.Error{Kind: clerk.Refused, Said: fmt.Sprintf("%s was not approved: %s is not its word: read what would run, then: %s", c.name, policy.Visible(strings.Join(given, ", ")), c.again())}
	}
	if !d.somebodyAnswers() {
		return &clerk.Error{Kind: clerk.Refused, Said: fmt.Sprintf("the risk of %s is high, so a plain yes does not approve it: read what would run, then: %s", c.name, c.again())}
	}
	fmt.Fprintf(d.err, "Type %s to approve it: ", c.word)
	typed, err := bufio.NewReader(d.in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if strings.TrimSpace(typed) != c.word {
		return &clerk.Error{Kind: clerk.Refused, Said: c.name + " was not approved: that is not the word"}
	}
	return nil
}

// again is the command with which somebody approves the call who has read it.
func (c *dangerous) again() string {
	return "assent approve " + c.name + c.at + " --confirm " + asWord(c.word)
}

// asWord is a text as a shell takes it for one word.
func asWord(text string) string {
	if strings.ContainsAny(text, " ~") { // of what such a word can have
		return "'" + text + "'"
	}
	return text
}
