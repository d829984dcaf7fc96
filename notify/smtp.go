package notify

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/smtp"
	"net/textproto"
	"strconv"
	"strings"
)

// serverTalk is how much a mail server may say in one conversation.
const serverTalk = 256 << 10

// mail brings a message to a mail server.
func (s Sender) mail(ctx context.Context, t Target, m Message, secrets []string) Outcome {
	connection, err := s.dialer(t).DialContext(ctx, "tcp", net.JoinHostPort(t.mail.host, t.mail.port))
	if err != nil {
		return broken(t.mail.host, err)
	}
	defer connection.Close()
	// net/smtp knows no context: the end of the time closes the connection under it.
	defer context.AfterFunc(ctx, func() { _ = connection.Close() })()
	refused, err := s.converse(t, m, secrets, &talkative{Conn: connection, left: serverTalk})
	switch {
	case err == nil && len(refused) > 0:
		return Outcome{Verdict: Partly, Text: fmt.Sprintf("%s has taken it, but not for %d of %d addresses: look whether they are right in \"to\" (number %s)", t.mail.host, len(refused), len(t.mail.to), strings.Join(refused, ", "))}
	case err == nil:
		return Outcome{Verdict: Sent, Text: t.mail.host + " has taken it"}
	case ctx.Err() != nil:
		return broken(t.mail.host, ctx.Err())
	}
	return judgeReply(t.mail.host, err)
}

// converse is the conversation up to the moment at which the server has taken the mail, or
// not. It returns which of the addresses the server will never take.
func (s Sender) converse(t Target, m Message, secrets []string, connection net.Conn) (refused []string, err error) {
	if t.mail.security == implicitTLS {
		connection = tls.Client(connection, s.tls(t.mail.host))
	}
	client, err := smtp.NewClient(connection, t.mail.host)
	if err != nil {
		return nil, err
	}
	if err := client.Hello("localhost"); err != nil { // who sends it is nobody's business
		return nil, err
	}
	if t.mail.security == startTLS {
		if offered, _ := client.Extension("STARTTLS"); !offered {
			return nil, errNoTLS
		}
		if err := client.StartTLS(s.tls(t.mail.host)); err != nil {
			return nil, err
		}
	}
	if t.mail.user != "" {
		if offered, _ := client.Extension("AUTH"); !offered {
			return nil, errNoAuth
		}
		if err := client.Auth(smtp.PlainAuth("", t.mail.user, secrets[0], t.mail.host)); err != nil {
			return nil, err
		}
	}
	if err := client.Mail(t.mail.from.Address); err != nil {
		return nil, err
	}
	if refused, err = recipients(client, t.mail); err != nil {
		return refused, err
	}
	body, err := client.Data()
	if err != nil {
		return refused, err
	}
	if _, err := body.Write(t.mail.compose(m)); err != nil {
		return refused, err
	}
	if err := body.Close(); err != nil {
		return refused, err
	}
	_ = client.Quit() // the mail is taken, whatever becomes of the goodbye
	return refused, nil
}

// recipients names everybody. One address that does not exist keeps nobody else from being
// told; one that must wait makes all wait, as the mail is sent as a whole. Those that are refused
// are named by their places in the settings: whoever may see the call need not know them.
func recipients(client *smtp.Client, b mailbox) (refused []string, err error) {
	for i, to := range b.to {
		said := client.Rcpt(to.Address)
		reply, ok := errors.AsType[*textproto.Error](said)
		switch {
		case said == nil:
		case ok && reply.Code >= 500:
			refused, err = append(refused, strconv.Itoa(i+1)), said
		default:
			return refused, said
		}
	}
	if len(refused) < len(b.to) {
		return refused, nil
	}
	return refused, err
}

var (
	errNoTLS  = errors.New("it does not offer STARTTLS, and nothing is sent without encryption")
	errNoAuth = errors.New("it does not take passwords on this connection")
)

// judgeReply says what a conversation that failed means. What the server said is left out: it
// may repeat what it was told.
func judgeReply(host string, err error) Outcome {
	if errors.Is(err, errNoTLS) || errors.Is(err, errNoAuth) {
		return Outcome{Verdict: Never, Text: host + ": " + err.Error()}
	}
	reply, ok := errors.AsType[*textproto.Error](err)
	switch {
	case !ok:
		return broken(host, err)
	case reply.Code == 535 || reply.Code == 534 || reply.Code == 530:
		return Outcome{Verdict: Never, Text: fmt.Sprintf("%s answered %d: look whether user and password are right", host, reply.Code)}
	case reply.Code >= 500:
		return Outcome{Verdict: Never, Text: fmt.Sprintf("%s answered %d: it does not take this mail", host, reply.Code)}
	}
	return Outcome{Verdict: Again, Text: fmt.Sprintf("%s answered %d", host, reply.Code)}
}

// talkative is a connection that ends when the other side says too much.
type talkative struct {
	net.Conn
	left int
}

func (c *talkative) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := c.Conn.Read(p)
	c.left -= n
	return n, err
}
