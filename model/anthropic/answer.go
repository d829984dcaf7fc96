package anthropic

import (
	"errors"
	"fmt"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/internal/ids"
	"github.com/assent-dev/assent/model/internal/remote"
)

// answer is a turn that is being received.
type answer struct {
	state state
	turn  model.Turn
	tally remote.Tally
	calls *ids.Set   // of this turn
	open  *openBlock // blocks come one after the other
}

func newAnswer() *answer { return &answer{calls: ids.Of(nil)} }

type state uint8

const (
	waiting state = iota // for message_start
	begun
	ended
)

// openBlock is a block whose deltas are still coming.
type openBlock struct {
	kind     model.Kind
	id, name string
	start    strictjson.Raw
	// What the deltas add up to, each by the name of its kind.
	text, input, thinking, signature strings.Builder
}

// take adds one event. An error is about the event: the server does not keep to the
// protocol.
func (a *answer) take(e event) error {
	if (a.state == waiting) != (e.Type == "message_start") {
		return fmt.Errorf("%s comes at the wrong time", e.Type)
	}
	switch e.Type {
	case "message_start":
		a.state = begun
		a.turn.ID, a.turn.Model = e.Message.ID, e.Message.Model
		e.Message.Usage.update(&a.turn.Usage)
	case "content_block_start":
		return a.start(e)
	case "content_block_delta":
		return a.add(e)
	case "content_block_stop":
		return a.stop(e)
	case "message_delta":
		if e.Delta.StopReason != "" {
			a.turn.StopReason, a.turn.StopSequence = e.Delta.StopReason, e.Delta.StopSequence
		}
		e.Usage.update(&a.turn.Usage)
	case "message_stop":
		if a.open != nil {
			return fmt.Errorf("the message stops inside of block %d", len(a.turn.Content))
		}
		a.state = ended
	}
	return nil // events of other kinds are for other readers
}

func (a *answer) start(e event) error {
	if a.open != nil || e.Index != len(a.turn.Content) {
		return fmt.Errorf("block %d starts at the wrong time", e.Index)
	}
	var head struct {
		Type  model.Kind     `json:"type"`
		ID    string         `json:"id"`
		Name  string         `json:"name"`
		Text  string         `json:"text"`
		Input strictjson.Raw `json:"input"`
	}
	if err := strictjson.Unmarshal(e.Block, &head); err != nil {
		return err
	}
	if err := a.tally.Block(); err != nil {
		return err
	}
	b := &openBlock{kind: head.Type, id: head.ID, name: head.Name, start: e.Block}
	switch head.Type {
	case "":
		return fmt.Errorf("block %d has no type", e.Index)
	case model.Text:
		b.text.WriteString(head.Text)
	case model.ToolUse:
		if err := checkCall(a.calls, head.ID, head.Name); err != nil {
			return fmt.Errorf("block %d: %w", e.Index, err)
		}
	}
	a.open = b
	return a.tally.Add(len(e.Block))
}

// checkCall refuses a call that cannot be told from the others of its turn: each is
// judged and answered by its id.
func checkCall(others *ids.Set, id, name string) error {
	if id == "" || name == "" {
		return errors.New("the call has no id or no name")
	}
	if err := ids.Check(id, name); err != nil {
		return err
	}
	if others.Add(id) == ids.Known {
		return fmt.Errorf("two calls have one id, %q", id)
	}
	return nil
}

func (a *answer) add(e event) error {
	b := a.open
	if b == nil || e.Index != len(a.turn.Content) {
		return fmt.Errorf("a delta for block %d, which is not open", e.Index)
	}
	d := e.Delta
	b.text.WriteString(d.Text)
	b.input.WriteString(d.Input)
	b.thinking.WriteString(d.Thinking)
	b.signature.WriteString(d.Signature)
	return a.tally.Add(len(d.Text) + len(d.Input) + len(d.Thinking) + len(d.Signature))
}

func (a *answer) stop(e event) error {
	if a.open == nil || e.Index != len(a.turn.Content) {
		return fmt.Errorf("block %d stops and is not open", e.Index)
	}
	block, err := a.open.block()
	a.turn.Content, a.open = append(a.turn.Content, block), nil
	return err
}

func (b *openBlock) block() (model.Block, error) {
	switch b.kind {
	case model.Text:
		return model.TextBlock(b.text.String()), nil
	case model.ToolUse:
		input := b.input.String()
		if strings.TrimSpace(input) == "" {
			input = b.startInput() // gateways send the whole call at its start
		}
		return model.Call(b.id, b.name, input), nil
	}
	return b.complete()
}

func (b *openBlock) startInput() string {
	var start struct {
		Input strictjson.Raw `json:"input"`
	}
	if err := strictjson.Unmarshal(b.start, &start); err != nil || start.Input == nil || string(start.Input) == "null" {
		return ""
	}
	return string(start.Input)
}

// complete is a block of another kind with what its deltas added. It goes back to the
// server as it is, which checks the signature of a thought.
func (b *openBlock) complete() (block model.Block, err error) {
	root, err := strictjson.Tree(b.start)
	if err != nil {
		return block, err
	}
	added := map[string]string{
		"text": b.text.String(), "thinking": b.thinking.String(), "signature": b.signature.String(),
	}
	var out strings.Builder
	separator := "{"
	for _, m := range root.Members() {
		name := m.Name.Text()
		value := strictjson.Raw(m.Value.Raw())
		if more := added[name]; more != "" {
			if value, err = strictjson.Marshal(m.Value.Text() + more); err != nil {
				return block, err
			}
			delete(added, name)
		}
		if name == "input" && b.input.Len() > 0 {
			value = strictjson.Raw(b.input.String())
		}
		fmt.Fprintf(&out, "%s%s:%s", separator, m.Name.Raw(), value)
		separator = ","
	}
	for _, name := range []string{"text", "thinking", "signature"} {
		if more := added[name]; more != "" {
			value, err := strictjson.Marshal(more)
			if err != nil {
				return block, err
			}
			fmt.Fprintf(&out, "%s%q:%s", separator, name, value)
			separator = ","
		}
	}
	out.WriteString("}")
	err = block.UnmarshalJSON([]byte(out.String()))
	return block, err
}
