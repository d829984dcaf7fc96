package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// inputChange collects what hooks change in the input of a tool, in the order of the
// configuration.
type inputChange struct {
	original strictjson.Raw
	now      map[string]strictjson.Raw // nil as long as nobody changed anything
	digest   string                    // of now
	setBy    map[string]*result
	edits    []edit
}

type edit struct {
	by     *result
	change Change
}

// apply takes the partial update of one hook: its keys replace, null deletes, the
// others stay.
func (c *inputChange) apply(s *result) error {
	update, err := object(s.out.Specific.UpdatedInput)
	if err != nil {
		return err
	}
	if err := c.begin(); err != nil {
		return err
	}
	next := maps.Clone(c.now)
	for key, value := range update {
		if string(value) == "null" {
			delete(next, key)
		} else {
			next[key] = value
		}
	}
	after, err := digest(next)
	if err != nil {
		return err
	}
	keys := slices.Sorted(maps.Keys(update))
	c.conflicts(s, keys, update)
	if after != c.digest {
		c.edits = append(c.edits, edit{s, Change{Hook: s.run.Hook, Keys: keys, Before: c.digest, After: after}})
		c.now, c.digest = next, after
	}
	return nil
}

func (c *inputChange) begin() (err error) {
	if c.now != nil {
		return nil
	}
	now, err := object(c.original)
	if err != nil {
		return fmt.Errorf("the input of the tool cannot be changed: %w", err)
	}
	if c.digest, err = digest(now); err != nil {
		return err
	}
	c.now, c.setBy = now, map[string]*result{}
	return nil
}

// conflicts tells both authors when two hooks set a key differently.
func (c *inputChange) conflicts(s *result, keys []string, update map[string]strictjson.Raw) {
	for _, key := range keys {
		before := c.setBy[key]
		c.setBy[key] = s
		if before == nil {
			continue
		}
		earlier, err := object(before.out.Specific.UpdatedInput)
		if err == nil && sameValue(earlier[key], update[key]) {
			continue
		}
		before.note(fmt.Sprintf("hook %s sets %s differently and stands later in the configuration: its value counts", s.hook.title(), quoted(key)))
		s.note(fmt.Sprintf("hook %s sets %s differently and stands earlier in the configuration: this value counts", before.hook.title(), quoted(key)))
	}
}

// finish puts the changes into the verdict, unless the call does not run anyway.
func (c *inputChange) finish(v *Verdict) {
	if len(c.edits) == 0 {
		return
	}
	if b := v.Permission.Behavior; b == permission.Deny || b == permission.Defer {
		for _, e := range c.edits {
			e.by.note(fmt.Sprintf("updatedInput has no effect: another hook says %v", b))
		}
		if b == permission.Defer {
			v.Withheld = c.withheld()
		}
		return
	}
	for _, e := range c.edits {
		e.by.run.Changed = e.change.Keys
		v.Changes = append(v.Changes, e.change)
		v.Announce = v.Announce || e.by.out.Specific.AnnounceInput
	}
	// Values keep their spelling; a text that was valid before cannot fail here.
	v.Input, _ = strictjson.Marshal(c.now)
}

// withheld is what would have become of the input.
func (c *inputChange) withheld() *Withheld {
	var w Withheld
	for _, e := range c.edits {
		w.Changes = append(w.Changes, e.change)
		w.Announce = w.Announce || e.by.out.Specific.AnnounceInput
	}
	w.Input, _ = strictjson.Marshal(c.now) // as in finish
	return &w
}

// answers: hooks have put the answers into a question to a person. What was there
// before is no answer, whoever sends it back.
func (c *inputChange) answers(tool string, changed strictjson.Raw) bool {
	if changed == nil || !holdsAnswers(tool, changed) {
		return false
	}
	before, err := object(c.original)
	return err == nil && !sameValue(before["answers"], c.now["answers"])
}

// object reads a JSON object one level deep.
func object(text strictjson.Raw) (map[string]strictjson.Raw, error) {
	var members map[string]strictjson.Raw
	if err := strictjson.Unmarshal(text, &members); err != nil {
		return nil, err
	}
	if members == nil {
		return nil, errors.New("want an object, got null")
	}
	return members, nil
}

func sameValue(a, b strictjson.Raw) bool {
	x, errX := strictjson.Canonical(a)
	y, errY := strictjson.Canonical(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

// digest is the SHA-256 of the canonical form, in hexadecimal.
func digest(members map[string]strictjson.Raw) (string, error) {
	text, err := strictjson.Marshal(members)
	if err != nil {
		return "", err
	}
	if text, err = strictjson.Canonical(text); err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}
