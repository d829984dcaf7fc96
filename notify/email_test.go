package notify

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestEmail_IsEncryptedAndComplete(t *testing.T) {
	for _, c := range []struct {
		name   string
		server manners
		more   string
	}{
		{"STARTTLS", manners{}, ""},
		{"TLS from the beginning", manners{implicit: true}, `, "tls": "implicit"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := newMailServer(t, c.server)
			target := server.target(t, fmt.Sprintf(`, "user": "bot", "secret": %s%s`, kept(t, "pass word"), c.more))
			got := Sender{roots: server.roots}.Send(t.Context(), target, message())
			if got.Verdict != Sent {
				t.Fatalf("%+v\n%s", got, server.said())
			}
			said := server.said()
			password := base64.StdEncoding.EncodeToString([]byte("\x00bot\x00pass word"))
			for _, want := range []string{"TLS AUTH PLAIN " + password, "TLS MAIL FROM:<bot@example.com>", "TLS RCPT TO:<zoe@example.com>", "TLS RCPT TO:<ops@example.com>"} {
				if !strings.Contains(said, want) {
					t.Errorf("the client did not say %q:\n%s", want, said)
				}
			}
			read := readMail(t, server.received()[0])
			for name, want := range map[string]string{
				"From": `"assent" <bot@example.com>`, "Message-Id": "<" + message().ID + "-m@example.com>", "Auto-Submitted": "auto-generated",
				"Date": "Sun, 01 Mar 2026 12:00:00 +0000", "Content-Type": "text/plain; charset=utf-8",
				"Subject": "[assent] A call waits for an answer (high risk): Run a command: npm",
			} {
				if got := read.header.Get(name); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
			if to, err := read.header.AddressList("To"); err != nil || len(to) != 2 || to[0].Name != "Zoë" {
				t.Errorf("to %v, %v", to, err)
			}
			if !strings.HasPrefix(read.body, "Run a command: npm\r\n") || !strings.Contains(read.body, message().Link) || strings.Contains(server.received()[0], "publish") {
				t.Errorf("body %q", read.body)
			}
		})
	}
}

// Without encryption nothing of the message, and no password, is said.
func TestEmail_NothingIsSaidInTheClear(t *testing.T) {
	for _, c := range []struct {
		name   string
		server manners
		trust  bool
		want   Verdict
	}{
		{"no STARTTLS", manners{hides: "STARTTLS"}, true, Never},
		{"STARTTLS is refused", manners{replies: map[string]string{"STARTTLS": "454 not now"}}, true, Again},
		{"a certificate that nobody knows", manners{}, false, Again},
		{"no passwords", manners{hides: "AUTH PLAIN"}, true, Never},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := newMailServer(t, c.server)
			sender := Sender{}
			if c.trust {
				sender.roots = server.roots
			}
			got := sender.Send(t.Context(), server.target(t, fmt.Sprintf(`, "user": "bot", "secret": %s`, kept(t, "geheim"))), message())
			if got.Verdict != c.want {
				t.Errorf("%+v", got)
			}
			if said := server.said(); strings.Contains(said, "AUTH") || strings.Contains(said, "MAIL") || len(server.received()) > 0 {
				t.Errorf("the client said\n%s", said)
			}
		})
	}
}

func TestEmail_PlainOnThisMachine(t *testing.T) {
	server := newMailServer(t, manners{hides: "STARTTLS"})
	if got := (Sender{}).Send(t.Context(), server.target(t, `, "tls": "none"`), message()); got.Verdict != Sent || len(server.received()) != 1 {
		t.Errorf("%+v", got)
	}
}

func TestEmail_Outcomes(t *testing.T) {
	for _, c := range []struct {
		words, reply string
		want         Verdict
		mails        int
	}{
		{"", "421 too many", Again, 0},
		{"", "554 go away", Never, 0},
		{"EHLO", "421 closing", Again, 0},
		{"AUTH", "535 wrong geheim", Never, 0},
		{"AUTH", "454 not now", Again, 0},
		{"MAIL", "451 later", Again, 0},
		{"MAIL", "550 not you", Never, 0},
		{"RCPT TO:<ops@example.com>", "450 greylisted", Again, 0},
		{"RCPT TO:<ops@example.com>", "550 nobody here", Partly, 1},
		{"DATA", "452 full", Again, 0},
		{".", "554 spam", Never, 1},
		{".", "451 later", Again, 1},
		{"QUIT", "500 what", Sent, 1},
		{"MAIL", "250 " + strings.Repeat("x", 2*serverTalk), Again, 0},
	} {
		t.Run(c.words+" "+c.reply[:3], func(t *testing.T) {
			server := newMailServer(t, manners{replies: map[string]string{c.words: c.reply}})
			target := server.target(t, fmt.Sprintf(`, "user": "bot", "secret": %s`, kept(t, "geheim")))
			got := Sender{roots: server.roots}.Send(t.Context(), target, message())
			if got.Verdict != c.want || len(server.received()) != c.mails {
				t.Errorf("%+v, %d mails", got, len(server.received()))
			}
			if strings.Contains(got.Text, "geheim") || !strings.Contains(got.Text, "127.0.0.1") {
				t.Errorf("text %q", got.Text)
			}
		})
	}
}

// Whoever reads that some of the addresses are refused for good learns which, and none of them.
func TestEmail_RefusedAddressesAreNamedByTheirPlace(t *testing.T) {
	for _, c := range []struct {
		refused []string
		want    Verdict
		text    string
	}{
		{[]string{"zoe"}, Partly, `but not for 1 of 2 addresses: look whether they are right in "to" (number 1)`},
		{[]string{"ops"}, Partly, `but not for 1 of 2 addresses: look whether they are right in "to" (number 2)`},
		{[]string{"ops", "zoe"}, Never, "answered 550"},
		{nil, Sent, "has taken it"},
	} {
		replies := map[string]string{}
		for _, name := range c.refused {
			replies["RCPT TO:<"+name+"@example.com>"] = "550 no such user " + name
		}
		server := newMailServer(t, manners{replies: replies})
		got := Sender{roots: server.roots}.Send(t.Context(), server.target(t, ""), message())
		if got.Verdict != c.want || !strings.Contains(got.Text, c.text) || strings.Contains(got.Text, "@") || strings.Contains(got.Text, "such user") {
			t.Errorf("%v: %+v", c.refused, got)
		}
	}
	server := newMailServer(t, manners{replies: map[string]string{"RCPT TO:<a@example.com>": "550 no", "RCPT TO:<c@example.com>": "551 no"}})
	target := server.target(t, "")
	target.mail.to = nil
	for _, name := range []string{"a", "b", "c"} {
		target.mail.to = append(target.mail.to, &mail.Address{Address: name + "@example.com"})
	}
	if got := (Sender{roots: server.roots}).Send(t.Context(), target, message()); got.Verdict != Partly || !strings.Contains(got.Text, `not for 2 of 3 addresses: look whether they are right in "to" (number 1, 3)`) {
		t.Errorf("%+v", got)
	}
}

func TestEmail_EndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	server := newMailServer(t, manners{})
	if got := (Sender{roots: server.roots}).Send(ctx, server.target(t, ""), message()); got.Verdict != Again || !strings.Contains(got.Text, "stopped") {
		t.Errorf("%+v", got)
	}
}

// Whatever a call says, the mail has the headers that assent gave it, and the sentence is text.
func TestEmail_NoHeaderInjection(t *testing.T) {
	box := parsed(t, `{"name": "m", "type": "email", "server": "mail.example.com:587", "from": "bot@example.com", "to": ["a@example.com"]}`).mail
	plain := message()
	plain.Sentence = "x"
	names := len(readMail(t, string(box.compose(plain))).header)
	check := func(t interface {
		Helper()
		Fatalf(string, ...any)
	}, sentence string,
	) {
		t.Helper()
		m := message()
		m.Sentence, m.Project, m.Ticket = sentence, sentence, sentence
		text := string(box.compose(m))
		read := readMail(t, text)
		if len(read.header) != names || read.header.Get("Bcc") != "" {
			t.Fatalf("%q has the headers %v", sentence, read.header)
		}
		for line := range strings.SplitSeq(text, "\r\n") {
			if len(line) > 998 || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Fatalf("%q makes the line %q", sentence, line)
			}
		}
	}
	for _, sentence := range []string{
		"x\r\nBcc: evil@example.com", "x\nBcc: evil@example.com", "x\r\n\r\nbody", "\r\n.\r\nMAIL FROM:<evil@example.com>", "x\u2028Bcc: a@b",
		"=?utf-8?q?x=0D=0ABcc:_evil@example.com?=", strings.Repeat("é", 2000), strings.Repeat("a", 5000), "\xff\xfe",
	} {
		check(t, sentence)
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, rapid.StringOf(rapid.OneOf(rapid.SampledFrom([]rune("\r\n:.=? é\u2028\u202e")), rapid.Rune())).Filter(func(s string) bool { return s != "" }).Draw(t, "sentence"))
	})
}

// Mail programs decode words of a subject that look encoded. Words of a call that look so are shown
// as they are: they could turn the text around, or hide some of it.
func TestEmail_WordsOfACallAreNotDecoded(t *testing.T) {
	box := parsed(t, `{"name": "m", "type": "email", "server": "mail.example.com:587", "from": "bot@example.com", "to": ["a@example.com"]}`).mail
	check := func(t interface {
		Helper()
		Fatalf(string, ...any)
	}, sentence string,
	) {
		t.Helper()
		m := message()
		m.Sentence = sentence
		want := "[assent] " + m.title() + ": " + shorten(m.sentence(), 120)
		text := string(box.compose(m))
		if got := readMail(t, text).header.Get("Subject"); got != want {
			t.Fatalf("%q is read as %q in %q", want, got, text)
		}
		for word := range strings.FieldsSeq(text[strings.Index(text, "Subject: "):strings.Index(text, "\r\nDate")]) {
			if strings.Contains(word, "=?") && (len(word) > 75 || !strings.HasPrefix(word, "=?utf-8?") || !strings.HasSuffix(word, "?=")) {
				t.Fatalf("%q makes the word %q", want, word)
			}
		}
	}
	for _, sentence := range []string{
		"Run `rm -rf /srv/data # =?utf-8?b?4oCu?= =?utf-8?q?_(harmless)?= =?utf-8?q?:_ls?= x`", "=?utf-8?q?x?=", "a=?utf-8?q?x?=b", "=?", "?=", "=?é?=",
		"=?iso-8859-1?Q?=A0?=", strings.Repeat("é=?", 100), strings.Repeat("=?utf-8?b?4oCu?=", 20), "x y",
	} {
		check(t, sentence)
	}
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.StringOf(rapid.SampledFrom([]rune("=?=? uUtTfF-8qbQB_é4oCu\u202e😀"))).Draw(t, "words")
		check(t, "x"+words+"x") // the blanks at the end of a header are none of its text
	})
}

type readable struct {
	header mail.Header
	body   string
}

func readMail(t interface {
	Helper()
	Fatalf(string, ...any)
}, text string,
) readable {
	t.Helper()
	parsed, err := mail.ReadMessage(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(parsed.Header.Get("Subject"))
	if err != nil {
		t.Fatalf("subject: %v", err)
	}
	parsed.Header["Subject"] = []string{subject}
	body, err := io.ReadAll(quotedprintable.NewReader(parsed.Body))
	if err != nil {
		t.Fatalf("body: %v", err)
	}
	return readable{parsed.Header, string(body)}
}
