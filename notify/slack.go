package notify

import (
	"errors"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
)

// slackPost is the body for an incoming webhook of Slack. Text is what a phone shows before
// somebody opens the message, blocks are the message.
type slackPost struct {
	Text        string       `json:"text"`
	Markup      bool         `json:"mrkdwn"`
	Parse       string       `json:"parse"`
	LinkNames   bool         `json:"link_names"`
	UnfurlLinks bool         `json:"unfurl_links"`
	UnfurlMedia bool         `json:"unfurl_media"`
	Blocks      []slackBlock `json:"blocks"`
}

type slackBlock struct {
	Type string    `json:"type"`
	Text slackText `json:"text"`
}

type slackText struct {
	Type string `json:"type"`
	Text string `json:"text"`
	// Emoji keeps :words: as they are, where it reads none.
	Emoji *bool `json:"emoji,omitzero"`
	// Verbatim keeps Slack from finding links and names by itself, where it reads markup.
	Verbatim bool `json:"verbatim,omitzero"`
}

// escapeSlack takes the three signs with which Slack's links, mentions and commands begin.
var escapeSlack = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace

// plainBlock shows text as it is: Slack reads no markup in it.
func plainBlock(text string) slackBlock {
	return slackBlock{Type: "section", Text: slackText{Type: "plain_text", Text: escapeSlack(text), Emoji: new(false)}}
}

func (t Target) slackLetter(m Message) (letter, error) {
	post := slackPost{Text: escapeSlack(m.title() + ": " + m.sentence()), Parse: "none"}
	post.Blocks = append(post.Blocks, plainBlock(m.title()), plainBlock(m.sentence()))
	if lines := m.details(); len(lines) > 0 {
		post.Blocks = append(post.Blocks, plainBlock(strings.Join(lines, "\n")))
	}
	if m.Link != "" { // the one thing that is markup, and nothing of the call is in it
		text := "<" + slackLink(m.Link) + "|Open the call>"
		post.Blocks = append(post.Blocks, slackBlock{Type: "section", Text: slackText{Type: "mrkdwn", Text: text, Verbatim: true}})
	}
	body, err := strictjson.Marshal(post)
	if err != nil {
		return letter{}, errors.New("the message cannot be written as JSON")
	}
	return letter{url: t.url, body: body}, nil
}

// slackLink is an address without the signs that would end it.
func slackLink(link string) string {
	return strings.NewReplacer("|", "%7C", "<", "%3C", ">", "%3E", "&", "&amp;", " ", "%20").Replace(link)
}
