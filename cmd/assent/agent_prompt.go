package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	// maxPrompt is how long a prompt on stdin may be.
	maxPrompt = 10 << 20
	// firstByte is how long stdin is waited for when nobody needs what comes. Whoever
	// starts assent may have left it a pipe that nobody writes to or closes.
	firstByte = 3 * time.Second
)

// prompt is what was asked for: the arguments, and below them what comes on stdin. Who
// goes on with a session needs none.
func (a *app) prompt(args []string, streamed, goesOn bool) (string, error) {
	switch {
	case streamed && len(args) > 0:
		return "", errors.New("with --input-format stream-json prompts come on stdin, not as arguments")
	case streamed:
		return "", nil
	}
	asked := tidy(strings.Join(args, " "))
	text, err := "", error(nil)
	switch {
	case asked == "" && !goesOn:
		text, err = readPrompt(a.in)
	case mayHold(a.in) && asked == "":
		text, err = a.addition("the session goes on without a prompt")
	case mayHold(a.in):
		text, err = a.addition("the prompt is the argument alone")
	}
	if err != nil {
		return "", err
	}
	if asked != "" && text != "" {
		asked += "\n\n"
	}
	return legible(asked + text)
}

// mayHold: stdin is something that somebody may have put there for the prompt. What a
// person types at a terminal is not.
func mayHold(in io.Reader) bool {
	file, ok := in.(*os.File)
	if !ok {
		return in != nil
	}
	info, err := file.Stat()
	return err == nil && (info.Mode().IsRegular() || info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0)
}

// addition is what comes on stdin where it need not, if it comes soon. Once something has
// come, all of it is waited for. otherwise is what happens when nothing does.
func (a *app) addition(otherwise string) (string, error) {
	type read struct {
		text string
		err  error
	}
	begun, done := make(chan struct{}), make(chan read, 1)
	go func() {
		text, err := readPrompt(&noticed{a.in, begun})
		done <- read{text, err}
	}()
	select {
	case r := <-done:
		return r.text, r.err
	case <-begun:
		r := <-done
		return r.text, r.err
	case <-time.After(firstByte):
		a.warn(fmt.Sprintf("nothing came on stdin for %s, so %s (redirect stdin from /dev/null to go on at once)", firstByte, otherwise))
		return "", nil
	}
}

// noticed is a reader that says when its first bytes have come.
type noticed struct {
	io.Reader
	begun chan struct{}
}

func (n *noticed) Read(p []byte) (int, error) {
	count, err := n.Reader.Read(p)
	if count > 0 && n.begun != nil {
		close(n.begun)
		n.begun = nil
	}
	return count, err
}

// readPrompt reads a prompt to its end.
func readPrompt(in io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxPrompt+1))
	if err != nil {
		return "", fmt.Errorf("the prompt on stdin cannot be read: %w", err)
	}
	if len(text) > maxPrompt {
		return "", fmt.Errorf("the prompt on stdin is longer than %d MB", maxPrompt>>20)
	}
	return tidy(string(text)), nil
}

// tidy is a prompt without the blanks around it, but for one before a slash: with it a
// prompt is no command.
func tidy(prompt string) string {
	text := strings.TrimSpace(prompt)
	if strings.HasPrefix(text, "/") && !strings.HasPrefix(prompt, "/") {
		return " " + text
	}
	return text
}

// legible refuses a prompt that no record could hold as it is.
func legible(prompt string) (string, error) {
	if !utf8.ValidString(prompt) {
		return "", errors.New("the prompt is not valid UTF-8 (convert it, or name a file that the agent is to read)")
	}
	return prompt, nil
}
