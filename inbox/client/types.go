package client

import (
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Item is a ticket in a list. What a model or a file has said in it stands in the sentence
// only, with secrets masked; nothing in the sentence hides, in other texts it can. The server
// writes what is declared here.
type Item struct {
	ID       string `json:"id"`
	State    string `json:"state"`
	Tool     string `json:"tool"`
	Sentence string `json:"sentence"`
	// Shown is how much of the call its sentence shows; only a call that is shown in full can
	// be approved together with others.
	Shown Shown `json:"shown"`
	// EditedSentence is that of the input which somebody has approved in place of the agent's.
	EditedSentence string `json:"edited_sentence,omitempty"`
	Risk           string `json:"risk"`
	Session        string `json:"session"`
	Cwd            string `json:"cwd"`
	// Asker is the agent of somebody else that waits for the answer.
	Asker   string    `json:"asker,omitempty"`
	Since   time.Time `json:"since"`
	Expires time.Time `json:"expires,omitzero"`
	// Outcome is what holds when its time is over.
	Outcome string `json:"outcome,omitempty"`
	// Places are the files that the call led to when it was parked, with all links followed.
	Places []string  `json:"places,omitempty"`
	Digest string    `json:"digest"`
	Kin    string    `json:"kin,omitempty"`
	Answer *Decision `json:"answer,omitempty"`
	// Requester is who wanted a call that waits, or several with commas between them; empty when
	// nobody knows. Terms are what has to be so before a yes to it counts; nil when nothing is
	// asked for.
	Requester string `json:"requester,omitempty"`
	Terms     *Terms `json:"terms,omitempty"`
	// Approvals is how many people have approved a call that waits as it stands, where several
	// must.
	Approvals int `json:"approvals,omitempty"`
}

// Shown is how much of a call its sentence shows.
type Shown string

const (
	// InFull: everything that would run stands in it.
	InFull Shown = "in_full"
	// InPart: it is cut, or leaves something out, as the contents of a file.
	InPart Shown = "in_part"
	// HasMask: a part of it looks like a secret, and is masked.
	HasMask Shown = "masked"
	// Elsewhere: the call leads to a file that its sentence does not name, or outside of its
	// directory.
	Elsewhere Shown = "elsewhere"
)

// Decision is what somebody has said.
type Decision struct {
	Decision string    `json:"decision"`
	By       string    `json:"by"`
	At       time.Time `json:"at"`
	Reason   string    `json:"reason,omitempty"`
}

// List is a part of what is not over.
type List struct {
	Tickets []Item         `json:"tickets"`
	Next    string         `json:"next"`
	Counts  map[string]int `json:"counts"`
	// Serial is that of the last change which this list is sure to show: follow on from
	// there, see [Client.Events].
	Serial  int64     `json:"serial"`
	Damaged []Damaged `json:"damaged"`
	// Crowds are sessions that have more calls than are listed.
	Crowds []Crowd `json:"crowds"`
}

// Damaged is a ticket on which nobody can rely.
type Damaged struct {
	ID      string `json:"id"`
	Problem string `json:"problem"`
}

// Crowd is a session with more calls than are listed.
type Crowd struct {
	Session string `json:"session"`
	// More is how many calls of it are not listed, at most 1000.
	More int `json:"more"`
}

// Detail is everything about a call. What is not needed by programs that answer stands in
// it as JSON; docs/api.md says what that is.
type Detail struct {
	Item
	Input    strictjson.Raw `json:"input"`
	Pretty   []string       `json:"input_pretty"`
	Edited   strictjson.Raw `json:"edited"`
	Why      string         `json:"why"`
	Policy   string         `json:"policy"`
	History  []Step         `json:"history"`
	Rules    strictjson.Raw `json:"rules"`
	Unjudged string         `json:"unjudged"`
	Change   *Change        `json:"change"`
	// ChangeKept: the change is what the one was shown who has approved the call.
	ChangeKept bool `json:"change_kept"`
	// EditedChange is what the approved input does in place of the agent's.
	EditedChange *Change    `json:"edited_change"`
	Questions    []Question `json:"questions"`
	Context      struct {
		Prompt string `json:"prompt"`
		Turns  []Turn `json:"turns"`
		// Problem is why nothing can be said about it.
		Problem string `json:"problem"`
	} `json:"context"`
	Consequences strictjson.Raw `json:"consequences"`
	Earlier      struct {
		Approved int    `json:"approved"`
		Denied   int    `json:"denied"`
		Last     []Item `json:"last"`
	} `json:"earlier"`
	Suggestion strictjson.Raw `json:"suggestion"`
	// NoRule is why there is no suggestion.
	NoRule string `json:"no_rule"`
	// StoppedBy is what made the call wait: hook or rules.
	StoppedBy string `json:"stopped_by"`
	// Guard is whether the guard that holds the call waits for the answer; empty for other
	// calls, and those that are over.
	Guard Guard `json:"guard"`
	// GuardMS is for how long that guard waits on, in milliseconds.
	GuardMS int64 `json:"guard_ms"`
	// Doubt is why the call will most likely fail if it runs.
	Doubt string `json:"doubt"`
	// Places are the files that the call leads to, with all links followed; a [Yes] can repeat
	// them. Moved says where it led when it was parked, if that was elsewhere.
	Places  []string      `json:"places"`
	Moved   string        `json:"moved"`
	Confirm *Confirmation `json:"confirm"`
	// Deniable: a no still keeps it from running, also after a yes.
	Deniable bool   `json:"deniable"`
	Editable bool   `json:"editable"`
	Fixed    string `json:"fixed"`
	Problem  string `json:"problem"`
	// Unheard is why nobody can say whether it was denied elsewhere: it is approved by itself.
	Unheard string `json:"unheard"`
	// Labels are what a worker must have to go on with the session; none where any can.
	Labels []string `json:"labels"`
	// Undo is until when the answer can be taken back; nil when it cannot.
	Undo *struct {
		Until  time.Time `json:"until"`
		LeftMS int64     `json:"left_ms"`
	} `json:"undo"`
	// Rule is what became of the rule that was to be added with an answer.
	Rule *AddedRule `json:"rule"`
	// Votes are those who have said yes where several people must.
	Votes []Vote `json:"votes"`
	// MayAnswer: the one who asks can approve it; MayNotWhy says why not.
	MayAnswer bool   `json:"may_answer"`
	MayNotWhy string `json:"may_not_why"`
}

// Terms are what has to be so before a yes counts.
type Terms struct {
	// Approvers is how many people must approve; zero means one.
	Approvers int `json:"approvers,omitempty"`
	// Reason: whoever approves must say why. NotRequester: it cannot be who wanted the call.
	Reason       bool `json:"reason,omitempty"`
	NotRequester bool `json:"not_requester,omitempty"`
}

// Vote is the yes of one of several people.
type Vote struct {
	By     string    `json:"by"`
	At     time.Time `json:"at"`
	Digest string    `json:"digest"`
	Reason string    `json:"reason"`
	// Same: it is for the input, the files and the change of a file that are shown.
	Same bool `json:"same"`
}

// Guard is what is known of the guard of another agent that holds a call.
type Guard string

const (
	// GuardWaits: it gets the answer as soon as there is one.
	GuardWaits Guard = "waits"
	// GuardGone: it has given up waiting, and gets the answer when its agent tries the call
	// again.
	GuardGone Guard = "gone"
	// GuardUnknown: it does not wait at this server, but may elsewhere.
	GuardUnknown Guard = "unknown"
)

// AddedRule is a rule that was to be added, and why it was not.
type AddedRule struct {
	Rules []string `json:"rules"`
	Scope string   `json:"scope"`
	File  string   `json:"file"`
	// State is added, waits (until the answer cannot be taken back), taken_back or failed.
	State   string `json:"state"`
	Problem string `json:"problem"`
}

// Step is a change of the ticket.
type Step struct {
	At   time.Time `json:"at"`
	From string    `json:"from"`
	To   string    `json:"to"`
	Who  string    `json:"who"`
	Note string    `json:"note"`
	// Kind is vote, withdrawn, comment or escalated; empty for a change of the state.
	Kind string `json:"kind"`
	// Change is what somebody who has said yes was shown that the call does to its file, and Digest what that
	// yes is for; nil for others.
	Change *Change `json:"change"`
	Digest string  `json:"digest"`
}

// Change is what the call would do to a file.
type Change struct {
	Path  string   `json:"path"`
	Lines []string `json:"lines"`
	// Of is how many lines there are, where not all of them are here.
	Of   int    `json:"of"`
	Note string `json:"note"`
	// Digest is that of the whole difference; a [Yes] can repeat it.
	Digest string `json:"digest"`
}

// Question is one question of AskUserQuestion.
type Question struct {
	Text    string `json:"question"`
	Header  string `json:"header"`
	Several bool   `json:"multiSelect"`
	Options []struct {
		Label       string `json:"label"`
		Description string `json:"description"`
	} `json:"options"`
}

// Turn is something that was said in a session. It proves nothing.
type Turn struct {
	Who  string    `json:"who"`
	Text string    `json:"text"`
	Tool string    `json:"tool"`
	At   time.Time `json:"at"`
}

// Confirmation is the word that has to be sent because the risk is high.
type Confirmation struct {
	Word string `json:"word"`
	Why  string `json:"why"`
}

// Me is who asks.
type Me struct {
	// Name is what stands under answers, and Shown how people call that person.
	Name    string `json:"name"`
	Shown   string `json:"shown"`
	Version string `json:"version"`
	State   string `json:"state"`
	// Role is viewer, approver or admin, and May what that means here.
	Role string `json:"role"`
	May  struct {
		Answer bool `json:"answer"`
		Manage bool `json:"manage"`
	} `json:"may"`
	// For are the people in whose place that person may answer.
	For []string `json:"for"`
	// People: everybody signs in at this server.
	People bool `json:"people"`
}

// Session is how a session stands.
type Session struct {
	Session string `json:"session"`
	State   string `json:"state"`
	Cwd     string `json:"cwd"`
	Prompt  string `json:"prompt"`
	Turns   []Turn `json:"turns"`
	Result  string `json:"result"`
	Running bool   `json:"running"`
	// Labels are what a worker must have to go on with it; none where any can.
	Labels []string `json:"labels"`
	// Rests: it goes on when somebody resumes it in a terminal, and not by itself.
	Rests   bool   `json:"rests"`
	Problem string `json:"problem"`
}

// Event is something that happened: a ticket has changed, or a session.
type Event struct {
	Serial  int64     `json:"serial"`
	Ticket  string    `json:"ticket"`
	From    string    `json:"from"`
	To      string    `json:"to"`
	Who     string    `json:"who"`
	At      time.Time `json:"at"`
	Session string    `json:"session"`
	State   string    `json:"state"`
	// Kind is what has happened to a ticket that has stayed as it was; see [Step].
	Kind string `json:"kind"`
}
