package shell

import (
	"slices"
	"strings"
)

// Where a script has stood before is what cd -, popd, "~-" and OLDPWD lead back to. A guess tries each
// of these directories.

// mostStood is how many of them are kept. Those that are protected come first, and more than
// maxFolds of them are not judged.
const mostStood = 4

// startAgain is the directory where the script starts, wherever it is now: what stands behind it is
// seen from there.
const startAgain = "~-"

// stood notes directories in which the script is. Those of the project are all the same, unless
// they are protected.
func (w *walker) stood(dirs []string) {
	if len(dirs) == 0 {
		dirs = startDir
	}
	for _, dir := range dirs {
		switch {
		case dir == "":
			dir = startAgain
		case strings.HasPrefix(dir, unknownMark), !rooted(dir) && !strings.Contains(dir, "..") && harmless(dir):
			continue
		case !rooted(dir):
			dir = startAgain + "/" + dir
		}
		switch {
		case slices.Contains(w.been, dir):
		case Protected(dir):
			if w.been = slices.Insert(slices.Clone(w.been), 0, dir); len(w.been) > maxFolds+mostStood {
				w.problem(TooDeep, "it is in too many protected directories to be judged", w.here())
			}
		case len(w.been) < mostStood:
			w.been = append(slices.Clip(w.been), dir)
		}
	}
}

// before are the directories to which cd -, popd and the like may lead in a guess.
func (w *walker) before() []string {
	places := w.been
	for _, name := range [...]string{"OLDPWD", "DIRSTACK"} {
		v := w.vars[name]
		if v == nil {
			continue
		}
		for _, value := range v.values[:min(len(v.values), maxFolds)] {
			places = append(slices.Clip(places), value.Text)
		}
	}
	if len(places) == 0 {
		places = []string{startAgain}
	}
	w.folded = true
	return places
}

// backTo is where a cd leads to that goes back: to all of them, if they are few.
func (w *walker) backTo() []string {
	if places := w.before(); len(places) <= mostStood {
		return places
	}
	return []string{w.earlier()}
}

// earlier is one of them in each pass.
func (w *walker) earlier() string {
	places := w.before()
	n, _ := w.choose("OLDPWD", chosenPlace, len(places))
	return places[n]
}

// listedIn are the directories that a name after cd means in those of CDPATH.
func (w *walker) listedIn(target Word) (places []string) {
	v := w.vars["CDPATH"]
	if v == nil {
		return nil
	}
	w.foldable = true
	if !w.folding || w.bound != nil || !target.Known() || rooted(target.Text) || strings.HasPrefix(target.Text, ".") {
		return nil
	}
	for _, value := range v.values[:min(len(v.values), maxFolds)] {
		for dir := range strings.SplitSeq(value.Text, ":") {
			if dir != "" && dir != "." && len(places) < maxFolds {
				places = union(places, w.into(Word{Text: dir + "/" + target.Text}))
				w.folded = true
			}
		}
	}
	return places
}

// stackPlace reports whether a tilde with this text behind it stands for a directory of the stack, or
// for the one before: ~-, ~1, ~+1, ~-1.
func stackPlace(rest string) bool {
	name, _, _ := strings.Cut(rest, "/")
	return name == "-" || name != "" && name != "+" && isNumber(strings.TrimLeft(name, "+-"))
}

// fromStart is a path of a guess without the mark for the directory where the script starts.
func fromStart(path string) string {
	rest, ok := strings.CutPrefix(path, startAgain)
	switch {
	case !ok || rest != "" && rest[0] != '/':
		return path
	case strings.Trim(rest, "/") == "":
		return "."
	}
	return strings.TrimLeft(rest, "/")
}
