package notify

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assent-dev/assent/policy"
)

// mailLines are what people read, one line each.
func (m Message) mailLines() []string {
	lines := []string{m.sentence(), "", "Risk: " + m.Risk.String()}
	lines = append(lines, m.details()...)
	if m.Link != "" {
		lines = append(lines, "", policy.Visible(m.Link))
	}
	return lines
}

// compose writes the mail. Every text that comes from a call has lost its line breaks before
// (see [policy.Visible]) and is encoded besides, so that none can begin a header.
func (b mailbox) compose(m Message) []byte {
	var out bytes.Buffer
	header := func(name, value string) { fmt.Fprintf(&out, "%s: %s\r\n", name, value) }
	header("From", b.from.String())
	header("To", addressList(b.to))
	header("Subject", encode("[assent] "+m.title()+": "+shorten(m.sentence(), 120)))
	header("Date", m.At.Format(time.RFC1123Z))
	header("Message-ID", "<"+m.ID+"@"+b.domain()+">")
	header("Auto-Submitted", "auto-generated") // so that no holiday notice answers it
	header("MIME-Version", "1.0")
	header("Content-Type", "text/plain; charset=utf-8")
	header("Content-Transfer-Encoding", "quoted-printable")
	out.WriteString("\r\n")
	body := quotedprintable.NewWriter(&out)
	for _, line := range m.mailLines() {
		// A buffer takes everything, so neither fails.
		_, _ = body.Write([]byte(line + "\r\n"))
	}
	_ = body.Close()
	return out.Bytes()
}

// encode writes the text of a header. [mime.WordEncoder] leaves ASCII as it is, so words of a call
// that look encoded would be decoded where the mail is read, to characters that [policy.Visible]
// has never seen. Where some do, everything is encoded.
func encode(text string) string {
	if !strings.Contains(text, "=?") {
		return mime.QEncoding.Encode("utf-8", text)
	}
	const most = 45 // bytes, which are 60 in base64: an encoded word has at most 75
	var words []string
	word := ""
	for _, r := range text {
		if len(word)+utf8.RuneLen(r) > most {
			words, word = append(words, word), ""
		}
		word += string(r)
	}
	words = append(words, word)
	for i, word := range words {
		words[i] = "=?utf-8?b?" + base64.StdEncoding.EncodeToString([]byte(word)) + "?="
	}
	return strings.Join(words, " ")
}

func (b mailbox) domain() string {
	_, domain, _ := strings.Cut(b.from.Address, "@")
	return domain
}

// addressList has a line for each address: a line of SMTP has an end.
func addressList(all []*mail.Address) string {
	var texts []string
	for _, one := range all {
		texts = append(texts, one.String())
	}
	return strings.Join(texts, ",\r\n ")
}
