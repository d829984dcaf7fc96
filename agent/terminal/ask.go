package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/wire"
)

// Asker puts questions to the person at the terminal.
type Asker struct {
	*Terminal
	settings settings.Options
	dir      atomic.Pointer[string] // where the session works now
}

var _ agent.Asker = (*Asker)(nil)

// Asker asks for a session with settings of o.
func (t *Terminal) Asker(o settings.Options) *Asker {
	a := &Asker{Terminal: t, settings: o}
	a.dir.Store(&o.Dir)
	return a
}

// Observe hears what happens in the session: where it works, and who makes which call.
func (a *Asker) Observe(m wire.Message) {
	if begun, ok := m.(*wire.Init); ok {
		a.dir.Store(&begun.Cwd)
	}
	a.observe(m)
}

// Name is "terminal".
func (*Asker) Name() string { return "terminal" }

// Errors that are no answer.
var (
	errEnded   = errors.New("no answer: the input of the terminal ended")
	errInvalid = errors.New("an invalid input cannot be mended on the terminal")
)

// Ask shows the question and waits for a person to answer it, or for ctx to end because
// somebody else has, or nobody wants to know any more.
func (a *Asker) Ask(ctx context.Context, q agent.Question) (permission.Answer, error) {
	if q.Decision.Reason.Kind == permission.ByInvalid {
		return permission.Answer{}, errInvalid // allowing it would not run it: the model mends it sooner
	}
	release, err := a.exclusive(ctx)
	if err != nil {
		return permission.Answer{}, err
	}
	defer release()
	answer, err := a.answer(ctx, q)
	switch {
	case ctx.Err() != nil:
		a.discard(ctx)
		a.write("\n")
		a.remark("-> ", whyOver(ctx))
		a.write("\n")
		return permission.Answer{}, ctx.Err()
	case errors.Is(err, io.EOF):
		a.write("\n-> no answer, so no\n\n")
		return permission.Answer{}, errEnded
	case err != nil:
		return permission.Answer{}, fmt.Errorf("no answer: %w", err)
	}
	return answer, nil
}

// whyOver is why a question is not open any more.
func whyOver(ctx context.Context) string {
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause.Error()
	}
	return "answered by a hook or the classifier"
}

// remark prints something between questions; the text may be others'.
func (a *Asker) remark(label, text string) {
	p := a.newPage(true)
	p.hang(ordinary, label, oneLine(text, 200))
	a.write(p.text.String())
}

// newPage is an empty page for the terminal as it is now.
func (t *Terminal) newPage(all bool) *page {
	return &page{width: t.dev.width(), all: all, paint: t.paint}
}

func (a *Asker) answer(ctx context.Context, q agent.Question) (permission.Answer, error) {
	if q.Tool == "AskUserQuestion" {
		if questions, err := readQuestions(q.Input); err == nil {
			return a.choose(ctx, q, questions)
		}
	}
	return a.permit(ctx, q)
}

// permit asks whether a call may run.
func (a *Asker) permit(ctx context.Context, q agent.Question) (permission.Answer, error) {
	p := a.page(q, false)
	a.show(p.again(a, q))
	for {
		reply, err := a.reply(ctx, a.choices(q, p), "answer> ")
		if err != nil {
			return permission.Answer{}, err
		}
		word, rest, _ := strings.Cut(reply, " ")
		switch strings.ToLower(word) {
		case "":
			p = a.page(q, p.all) // the window may have another size by now
			a.show(p.again(a, q))
		case "y", "yes":
			if rest == "" {
				a.write("-> allowed once\n\n")
				return permission.Answer{Behavior: permission.Allow, Answered: true}, nil
			}
			a.write("y takes no more words. Nothing was decided.\n")
		case "a", "always":
			answer, made, err := a.always(ctx, q)
			if made || err != nil {
				return answer, err
			}
			a.stand(p.again(a, q))
		case "n", "no":
			return a.refuse(ctx, rest)
		case "q":
			a.write("-> denied, and everything stops\n\n")
			return permission.Answer{Behavior: permission.Deny, Message: "The person at the terminal denied this call and stopped the work.", Interrupt: true}, nil
		case "v":
			p = a.page(q, true)
			a.show(p.again(a, q))
		default:
			a.write("That is none of the answers. Nothing was decided.\n")
		}
	}
}

// page is the question as it is shown; all leaves nothing out.
func (a *Asker) page(q agent.Question, all bool) *page {
	p := a.newPage(all)
	p.text.WriteString("\n")
	a.call(p, q)
	if q.BlockedPath != "" && !strings.Contains(q.Decision.Message(), q.BlockedPath) {
		p.hang(ordinary, "Path: ", q.BlockedPath)
	}
	p.hang(ordinary, "Why: ", q.Decision.Message())
	a.whoAsks(p, q)
	return p
}

// again makes the page of a question anew, for the terminal as it is then.
func (p *page) again(a *Asker, q agent.Question) func() string {
	all := p.all
	return func() string { return a.page(q, all).text.String() }
}

// whoAsks says which agent makes the call, if it is not the session's own.
func (a *Asker) whoAsks(p *page, q agent.Question) {
	var list []string
	if q.AgentID != "" {
		task := a.known(a.known(q.ToolUseID).parent).task
		list = append(list, "asked by the sub-agent "+q.AgentID+pick(task == "", "", ": "+oneLine(task, 40)))
	}
	if n := a.waiting.Load(); n > 0 {
		list = append(list, count(int(n), "more question")+" "+pick(n == 1, "waits", "wait"))
	}
	if len(list) > 0 {
		p.hang(faint, "(", strings.Join(list, "; ")+")")
	}
}

// choices lists the answers there are.
func (a *Asker) choices(q agent.Question, p *page) string {
	list := []string{"y once"}
	if len(q.Suggestions) > 0 {
		list = append(list, "a always")
	}
	list = append(list, "n or n TEXT deny")
	if p.cut {
		list = append(list, "v show all")
	}
	return strings.Join(append(list, "q deny and stop"), " | ")
}

// reply says which answers there are, and asks for a line that is typed after this point.
func (a *Asker) reply(ctx context.Context, ways, sign string) (string, error) {
	if err := a.dev.fresh(ctx); err != nil {
		return "", err
	}
	a.sign(func() string {
		p := a.newPage(true)
		p.say(heading, ways)
		return p.text.String() + sign
	})
	line, err := a.dev.line(ctx)
	return strings.TrimSpace(line), err
}

// refuse denies, with what the person wants the model to know.
func (a *Asker) refuse(ctx context.Context, why string) (permission.Answer, error) {
	if why = strings.TrimSpace(why); why == "" {
		a.sign(func() string { return "What should the model do instead? (Enter for nothing)\nwhy> " })
		line, err := a.dev.line(ctx)
		if err != nil && !errors.Is(err, io.EOF) {
			return permission.Answer{}, err
		}
		why = strings.TrimSpace(line)
	}
	a.write("-> denied\n\n")
	text := "The person at the terminal denied this call."
	if why = strings.ToValidUTF8(why, "\uFFFD"); why != "" {
		text = "The person at the terminal denied this call and says: " + why
	}
	return permission.Answer{Behavior: permission.Deny, Message: text}, nil
}
