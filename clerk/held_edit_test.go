package clerk

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// hold makes another call that a guard holds.
func hold(t *testing.T, tickets *approval.Store, edits approval.Edits, tool, input string) approval.Ticket {
	t.Helper()
	call := approval.Call{Session: "thread-2", Tool: tool, Input: strictjson.Raw(input), Cwd: t.TempDir()}
	ticket, err := tickets.Hold(t.Context(), "codex", approval.Parking{Call: call, By: "guard", Lasts: time.Hour, Risk: permission.MediumRisk, Edits: edits, Places: placesIn(call)})
	if err != nil {
		t.Fatal(err)
	}
	return ticket
}

// placesIn are the files of a call, where no file is a link.
func placesIn(call approval.Call) []string {
	var in struct {
		Path string `json:"file_path"`
	}
	if strictjson.Unmarshal(call.Input, &in) != nil || in.Path == "" {
		return nil
	}
	if !filepath.IsAbs(in.Path) {
		in.Path = filepath.Join(call.Cwd, in.Path)
	}
	return []string{in.Path}
}

// A held call is approved with another input where its agent takes one, and its guard gets
// that input with the yes, once.
func TestA3_HeldCallsAreEdited(t *testing.T) {
	c, _, tickets := heldWorld(t, "Bash")
	ticket := hold(t, tickets, approval.Taken, "Bash", `{"command":"deploy"}`)
	if _, err := c.Approve(t.Context(), ticket.ID, Yes{By: "ana", Digest: "sha256:0", Input: strictjson.Raw(`{"command":"deploy -n"}`)}); KindOf(err) != Refused {
		t.Errorf("with the digest of another call: %v", err)
	}
	m, err := c.Approve(t.Context(), ticket.ID, Yes{By: "ana", Digest: ticket.Digest, Input: strictjson.Raw(`{"command":"deploy -n"}`)})
	if err != nil || m.Standing != Approved {
		t.Fatalf("%+v, %v", m, err)
	}
	edited := ticket.Call
	edited.Input = strictjson.Raw(`{"command":"deploy -n"}`)
	want, err := edited.Digest()
	if err != nil {
		t.Fatal(err)
	}
	got, err := tickets.Hand(t.Context(), ticket.ID, "guard")
	if err != nil || string(got.Answer.Input) != `{"command":"deploy -n"}` || got.Answer.Digest != want || want == ticket.Digest {
		t.Errorf("%+v, %v", got.Answer, err)
	}
	if _, err := tickets.Hand(t.Context(), ticket.ID, "guard"); err == nil {
		t.Error("the yes was handed over twice")
	}
}

// With a yes goes the place of the file, for whoever runs it.
func TestT7_AYesIsForOnePlace(t *testing.T) {
	c, _, tickets := heldWorld(t, "Bash")
	for want, input := range map[string]strictjson.Raw{"docs/a.txt": nil, "b.txt": strictjson.Raw(`{"file_path":"b.txt","content":"x"}`)} {
		ticket := hold(t, tickets, approval.Taken, "Write", `{"file_path":"docs/a.txt","content":"x"}`)
		if _, err := c.Approve(t.Context(), ticket.ID, Yes{By: "ana", Input: input}); err != nil {
			t.Fatal(err)
		}
		if got, err := tickets.Find(t.Context(), ticket.ID); err != nil || !slices.Equal(got.Answer.Places, []string{ticket.Cwd + "/" + want}) {
			t.Errorf("%+v, %v", got.Answer, err)
		}
	}
}

// What cannot run is not approved, and the person is told why.
func TestA3_EditsOfHeldCallsThatAreRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		edits approval.Edits
		tool  string
		input string // as edited
		kind  Kind
		says  string
	}{
		"a rule denies it":       {approval.Taken, "Bash", `{"command":"forbidden"}`, Refused, "Bash(forbidden)"},
		"it does not fit":        {approval.Taken, "Bash", `{"command":{}}`, Invalid, "does not fit"},
		"it cannot be read":      {approval.Taken, "Bash", `{`, Invalid, "input"},
		"nobody knows the tool":  {approval.Taken, "codex:apply_patch", `{"command":"ls"}`, Invalid, "nobody could judge another input"},
		"the agent takes none":   {approval.NotTaken, "Bash", `{"command":"ls"}`, Invalid, "no way to be given another input"},
		"it is in other words":   {approval.OtherWords, "Bash", `{"command":"ls"}`, Invalid, "in other words"},
		"nobody has said it can": {approval.Unsaid, "Bash", `{"command":"ls"}`, Invalid, "codex runs exactly the call"},
		"what nobody knows":      {"perhaps", "Bash", `{"command":"ls"}`, Invalid, "codex runs exactly the call"},
	} {
		t.Run(name, func(t *testing.T) {
			c, _, tickets := heldWorld(t, "Bash")
			ticket := hold(t, tickets, tt.edits, tt.tool, `{"command":"deploy"}`)
			_, err := c.Approve(t.Context(), ticket.ID, Yes{By: "ana", Input: strictjson.Raw(tt.input)})
			if KindOf(err) != tt.kind || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("kind %v: %v", KindOf(err), err)
			}
			if got, err := tickets.Find(t.Context(), ticket.ID); err != nil || got.State != approval.Pending {
				t.Errorf("%s, %v", got.State, err)
			}
		})
	}
}
