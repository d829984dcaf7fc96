package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/mcp"
)

var _ agent.Elicitor = (*Asker)(nil)

// Elicit puts a question of an MCP server to the person: a page to open, or a few fields
// to fill in. Nothing is sent before the person has seen all of it and said yes.
func (a *Asker) Elicit(ctx context.Context, q mcp.Elicitation) (mcp.Answer, error) {
	release, err := a.exclusive(ctx)
	if err != nil {
		return mcp.Answer{}, err
	}
	defer release()
	answer, err := a.elicit(ctx, q)
	switch {
	case ctx.Err() != nil:
		a.discard(ctx)
		a.write("\n-> the server does not want to know any more\n\n")
		return mcp.Answer{}, ctx.Err()
	case errors.Is(err, io.EOF):
		a.write("\n-> not answered\n\n")
		return mcp.Answer{Action: mcp.Dismiss}, nil
	case err != nil:
		return mcp.Answer{}, fmt.Errorf("no answer: %w", err)
	}
	a.write(map[mcp.Action]string{mcp.Accept: "-> sent", mcp.Decline: "-> declined", mcp.Dismiss: "-> not answered"}[answer.Action] + "\n\n")
	return answer, nil
}

func (a *Asker) elicit(ctx context.Context, q mcp.Elicitation) (mcp.Answer, error) {
	a.show(func() string { return a.elicitPage(q) })
	if q.URL != "" {
		return a.confirm(ctx, "y it is open", mcp.Answer{Action: mcp.Accept})
	}
	for {
		content, stop, err := a.fill(ctx, q.Form)
		if stop != nil || err != nil {
			return derefAnswer(stop), err
		}
		a.show(func() string {
			p := a.newPage(true)
			p.say(ordinary, "This would be sent:")
			p.quote(exact, pretty(content))
			return p.text.String()
		})
		if err := q.Form.Check(content); err != nil {
			a.remark("That does not fit, so once more: ", err.Error())
			continue
		}
		return a.confirm(ctx, "y send it", mcp.Answer{Action: mcp.Accept, Content: content})
	}
}

// elicitPage is what a server wants to know.
func (a *Asker) elicitPage(q mcp.Elicitation) string {
	p := a.newPage(true)
	p.text.WriteString("\n")
	p.ask("The MCP server " + oneLine(q.Server, 60) + " asks:")
	p.quote(source, q.Message)
	if q.URL != "" {
		p.say(ordinary, "It wants you to open this page, which assent does not do for you:")
		p.quote(exact, q.URL)
	} else {
		p.say(faint, "Whatever you answer goes to that server. Tell it no password.")
	}
	return p.text.String()
}

func derefAnswer(answer *mcp.Answer) mcp.Answer {
	if answer == nil {
		return mcp.Answer{}
	}
	return *answer
}

// confirm asks for a yes.
func (a *Asker) confirm(ctx context.Context, yes string, answer mcp.Answer) (mcp.Answer, error) {
	for {
		reply, err := a.reply(ctx, yes+" | n decline | c cancel", "answer> ")
		if err != nil {
			return mcp.Answer{}, err
		}
		switch strings.ToLower(reply) {
		case "y", "yes":
			return answer, nil
		case "n", "no":
			return mcp.Answer{Action: mcp.Decline}, nil
		case "c":
			return mcp.Answer{Action: mcp.Dismiss}, nil
		}
		a.write("That is none of the answers. Nothing was sent.\n")
	}
}

// fill asks for the fields of a form, one by one. stop ends the question as a whole.
func (a *Asker) fill(ctx context.Context, form mcp.Form) (content strictjson.Raw, stop *mcp.Answer, err error) {
	values := map[string]strictjson.Raw{}
	for i, f := range form.Fields {
		value, stop, err := a.field(ctx, f, fmt.Sprintf("%d of %d", i+1, len(form.Fields)))
		if stop != nil || err != nil {
			return nil, stop, err
		}
		if value != nil {
			values[f.Name] = value
		}
	}
	content, err = strictjson.Marshal(values)
	return content, nil, err
}

// field asks for one value until there is one that fits; nil leaves it out.
func (a *Asker) field(ctx context.Context, f mcp.Field, place string) (value strictjson.Raw, stop *mcp.Answer, err error) {
	a.show(func() string { return a.fieldPage(f, place) })
	for {
		reply, err := a.reply(ctx, fieldWays(f), "value> ")
		if err != nil {
			return nil, nil, err
		}
		switch {
		case reply == "/decline":
			return nil, &mcp.Answer{Action: mcp.Decline}, nil
		case reply == "/cancel":
			return nil, &mcp.Answer{Action: mcp.Dismiss}, nil
		case reply == "/default" && f.Default != nil:
			return f.Default, nil, nil
		case reply == "" && !f.Required:
			return nil, nil, nil
		}
		value, err := fieldValue(f, reply)
		if err == nil {
			err = f.Check(string(value))
		}
		if err == nil {
			return value, nil, nil
		}
		a.remark("That does not fit: ", err.Error())
	}
}
