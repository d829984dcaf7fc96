package launch

import (
	"context"
	"fmt"
	"sync"

	"github.com/assent-dev/assent/classify"
	"github.com/assent-dev/assent/model/provider"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/settings"
)

// classifier is who judges calls in auto mode: what the administrator says, else the
// command line, else the nearest settings, else the built-in one. A model is reached
// when the first call is to be judged.
func classifier(o Options, loaded *settings.Settings, env variables) classify.Classifier {
	builtin := classify.Builtin{Links: o.Links}
	name, where := chosenClassifier(o, loaded)
	if name == "" || name == settings.BuiltinClassifier {
		return builtin
	}
	return &lateClassifier{name: name, open: sync.OnceValues(func() (classify.Classifier, error) {
		choice, err := provider.Open(name, env.get, nil)
		if err != nil {
			return nil, fmt.Errorf("the classifier %s (%s) cannot be asked: %w", name, where, err)
		}
		return classify.Model{Provider: choice.Provider, Model: choice.Model, Builtin: builtin}, nil
	})}
}

// inTime: a session that begins in auto mode learns at once that its classifier cannot be reached;
// any other may never need it.
func inTime(c classify.Classifier, mode permission.Mode) error {
	late, ok := c.(*lateClassifier)
	if !ok || mode != permission.Auto {
		return nil
	}
	if _, err := late.open(); err != nil {
		return fmt.Errorf("%w; with --classifier %s no model is needed", err, settings.BuiltinClassifier)
	}
	return nil
}

// chosenClassifier is the name of the classifier, empty when nobody says, and where it is said.
func chosenClassifier(o Options, loaded *settings.Settings) (name, where string) {
	choice := loaded.Classifier()
	if choice.Name != "" {
		where = fmt.Sprintf("%s:%d", choice.File.Path, choice.Line)
	}
	switch {
	case o.Classifier == "":
		return choice.Name, where
	case choice.Managed() && choice.Name != o.Classifier:
		o.Warn(fmt.Sprintf("--classifier %s is refused: managed settings (%s) say %s", o.Classifier, where, choice.Name))
		return choice.Name, where
	}
	return o.Classifier, "--classifier"
}

// lateClassifier is one that is made when it is needed. One that cannot be made gives no
// answer.
type lateClassifier struct {
	name string
	open func() (classify.Classifier, error)
}

// Name is that of the classifier with the name that somebody chose.
func (c *lateClassifier) Name() string { return "classifier " + c.name }

// Classify asks it.
func (c *lateClassifier) Classify(ctx context.Context, q classify.Question) (classify.Verdict, error) {
	opened, err := c.open()
	if err != nil {
		return classify.Verdict{}, err
	}
	return opened.Classify(ctx, q)
}
