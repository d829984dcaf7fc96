package mcp

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Elicitation is a question of a server to the person. All of it is the server's word:
// who shows it says which server asks, and lets no character of it play tricks.
type Elicitation struct {
	Server  string
	Message string
	// Form is what the person is to fill in, Schema the same as the server wrote it;
	// both are empty where a page is to be opened.
	Form   Form
	Schema strictjson.Raw
	// URL is a page that the person is to open, and ID what the server calls that; "" for
	// a form. Nobody but the person opens it.
	URL, ID string
}

// Answer is what the person says. The zero value declines.
type Answer struct {
	Action Action
	// Content is the object that the form asks for; only with Accept.
	Content strictjson.Raw
}

// Action is how a person answers a question of a server.
type Action uint8

// The actions. The zero value is the safe one.
const (
	Decline Action = iota
	Accept
	// Dismiss: the person, or whoever speaks for them, has not answered.
	Dismiss
)

// String is the word of the protocol.
func (a Action) String() string {
	switch a {
	case Accept:
		return "accept"
	case Dismiss:
		return "cancel"
	case Decline:
	}
	return "decline"
}

// What a server may ask. More than that no person reads.
const (
	maxQuestion = 16 << 10
	maxAsking   = 4 // of one server, at one time
)

// elicit puts a question to the person and their answer to the server. Only a server
// that works on a call may ask: others would talk to a person who has asked them for
// nothing.
func (s *server) elicit(ctx context.Context, request *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
	question, err := s.question(request.Params)
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	}
	work := s.work.now()
	defer s.asking.Add(-1)
	if s.asking.Add(1) > maxAsking || work == nil {
		return &sdk.ElicitResult{Action: Dismiss.String()}, nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(work, cancel)()
	answer, err := s.options.Elicit(ctx, question)
	if err != nil || ctx.Err() != nil {
		answer = Answer{Action: Dismiss}
	}
	return s.reply(question, answer), nil
}

// question reads a question and says what is wrong with one that no person can answer.
func (s *server) question(params *sdk.ElicitParams) (Elicitation, error) {
	q := Elicitation{Server: s.config.Name, Message: params.Message, URL: params.URL, ID: params.ElicitationID}
	switch {
	case len(q.Message) > maxQuestion || !utf8.ValidString(q.Message):
		return q, fmt.Errorf("the message is longer than %d bytes, or not UTF-8", maxQuestion)
	case params.Mode == "url" && (len(q.URL)+len(q.ID) > maxQuestion || checkPage(q.URL) != nil):
		return q, errors.New("the url is none that a person could be asked to open; it must be https, without a user or a fragment")
	case params.Mode == "url":
		return q, nil
	}
	var err error
	if q.Schema, err = strictjson.Marshal(params.RequestedSchema); err != nil {
		return q, err
	}
	q.Form, err = ReadForm(q.Schema)
	return q, err
}

// reply is the answer as the server gets it: what does not fit the form does not leave
// the house.
func (s *server) reply(question Elicitation, answer Answer) *sdk.ElicitResult {
	result := &sdk.ElicitResult{Action: answer.Action.String()}
	if answer.Action != Accept || question.URL != "" {
		return result
	}
	content := answer.Content
	if len(content) == 0 || string(content) == "null" { // a yes is enough where nothing has to be filled in
		content = strictjson.Raw("{}")
	}
	err := question.Form.Check(content)
	if err == nil {
		err = strictjson.Unmarshal(content, &result.Content)
	}
	if err != nil {
		s.options.warn(fmt.Sprintf("The MCP server %q asked something, and the answer is not what its form wants: %v. It was told that nobody answers.", s.config.Name, err))
		return &sdk.ElicitResult{Action: Dismiss.String()}
	}
	return result
}
