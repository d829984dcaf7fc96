package notify

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/policy"
)

// slackSees is the text of a part as Slack shows it, and whether anything in it is more than
// text. Slack reads <…> everywhere, and the signs of formatting only where it reads markup.
func slackSees(kind, text string) (shown string, live bool) {
	if strings.ContainsAny(text, "<>") || kind == "mrkdwn" && strings.ContainsAny(text, "*_~`") {
		return "", true
	}
	shown = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(text)
	return shown, strings.Contains(strings.NewReplacer("&lt;", "", "&gt;", "", "&amp;", "").Replace(text), "&")
}

func slackBody(t interface{ Fatal(...any) }, m Message) slackPost {
	letter, err := Target{Name: "s", Type: Slack}.slackLetter(m)
	if err != nil {
		t.Fatal(err)
	}
	var post slackPost
	if err := strictjson.UnmarshalKnown(letter.body, &post); err != nil {
		t.Fatal(err)
	}
	return post
}

// Whatever words of a call are in it, Slack shows the sentence and does nothing.
func TestSlack_TheSentenceIsText(t *testing.T) {
	check := func(t interface {
		Fatal(...any)
		Fatalf(string, ...any)
	}, sentence string,
	) {
		m := message()
		m.Sentence, m.Project, m.Ticket = sentence, sentence, sentence
		post := slackBody(t, m)
		want := shorten(policy.Visible(sentence), sentenceRoom)
		if post.Markup || post.Parse != "none" || post.LinkNames || post.UnfurlLinks || post.UnfurlMedia {
			t.Fatalf("Slack may read markup: %+v", post)
		}
		if shown, live := slackSees("plain_text", post.Text); live || shown != m.title()+": "+want {
			t.Fatalf("%q is shown as %q", sentence, post.Text)
		}
		for i, block := range post.Blocks[:3] {
			shown, live := slackSees(block.Text.Type, block.Text.Text)
			if live || block.Text.Type != "plain_text" || block.Text.Emoji == nil || *block.Text.Emoji || i == 1 && shown != want {
				t.Fatalf("%q is shown as %+v", sentence, block)
			}
			if n := len([]rune(block.Text.Text)); n == 0 || n > 3000 {
				t.Fatalf("%d characters in a block", n)
			}
		}
		link := post.Blocks[3].Text
		if link.Type != "mrkdwn" || !link.Verbatim || link.Text != "<"+m.Link+"|Open the call>" {
			t.Fatalf("%+v", link)
		}
	}
	for _, sentence := range []string{
		"<!channel> look", "<!here>", "<@U012AB3CD>", "<#C123>", "<https://evil.example|Open the call>", "&lt;!channel&gt;", "&amp;lt;",
		"*bold* _it_ ~no~ `code`", "```\nx\n```", "> quote", "@channel #general https://evil.example", ":fire:", "\u202egnp",
		strings.Repeat("&", 4000), strings.Repeat("<", 4000),
	} {
		check(t, sentence)
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, rapid.StringOfN(rapid.OneOf(rapid.SampledFrom([]rune("<>&|!@#*_~`;ltgamp")), rapid.Rune()), 1, -1, -1).Draw(t, "sentence"))
	})
}

func TestSlack_TheLinkStaysALink(t *testing.T) {
	m := message()
	m.Link = "https://inbox.example.com/a|b>c<d?x=1&y=2"
	blocks := slackBody(t, m).Blocks
	const want = "<https://inbox.example.com/a%7Cb%3Ec%3Cd?x=1&amp;y=2|Open the call>"
	if got := blocks[len(blocks)-1].Text.Text; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	m.Link, m.Project, m.Ticket, m.Input, m.Expires = "", "", "", nil, time.Time{}
	for _, block := range slackBody(t, m).Blocks {
		if block.Text.Text == "" {
			t.Error("Slack refuses a block without text")
		}
	}
}

// The address of Slack is the secret: it is nowhere but in the request.
func TestSlack_TheAddressIsASecret(t *testing.T) {
	server := receive(t, nil)
	for _, secret := range []string{
		server.URL + "/services/T000/B000/geheim", "http://127.0.0.1:1/geheim", "https://geheim:geheim@127.0.0.1/", "ftp://127.0.0.1/geheim",
		"https://127.0.0.1/%zz-geheim", "geheim", "https://8.8.8.8/#geheim", "https://[::geheim]/", "https://geheim host/", "a\nb-geheim",
	} {
		target := parsed(t, fmt.Sprintf(`{"name": "s", "type": "slack", "private": true, "secret": %s}`, kept(t, secret)))
		got := server.sender().Send(t.Context(), target, message())
		ready := fmt.Sprint(target.Ready())
		if strings.Contains(got.Text+ready, "geheim") {
			t.Errorf("the secret is in %+v or %s", got, ready)
		}
		if strings.HasPrefix(secret, server.URL) != (got.Verdict == Sent) {
			t.Errorf("%s: %+v", secret, got)
		}
	}
	if server.count() != 1 || server.got[0].URL.Path != "/services/T000/B000/geheim" {
		t.Errorf("%d requests", server.count())
	}
}
