package settings

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settleTime lets a program that saves in several steps finish.
const settleTime = 50 * time.Millisecond

// Watch calls on with new settings whenever the files have changed since current,
// one call at a time, until ctx ends; then it returns nil. What changed between
// loading current and the start of watching is noticed too. Another error means
// that changes are no longer noticed.
func Watch(ctx context.Context, o Options, current *Settings, on func(*Settings, []Report)) error {
	p, err := locate(o)
	if err != nil {
		return err
	}
	// Whoever has just read them needs no news for as long as any other change takes to be seen. Most
	// sessions are over by then, and giving a watch back takes the kernel ten milliseconds.
	select {
	case <-ctx.Done():
		return nil
	case <-time.After(settleTime):
	}
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("settings files cannot be watched: %w", err)
	}
	defer notify.Close()
	w := &watcher{places: p, notify: notify, current: current, on: on}
	return w.run(ctx)
}

type watcher struct {
	*places
	notify  *fsnotify.Watcher
	current *Settings
	on      func(*Settings, []Report)
	paths   []string        // what is watched for
	listed  map[string]bool // directories among them in which any file counts
}

func (w *watcher) run(ctx context.Context) error {
	if err := w.look(); err != nil {
		return err
	}
	// settled fires once after the first of several events: a file that changes all
	// the time is read from time to time, not never.
	var settled <-chan time.Time
	soon := func() {
		if settled == nil {
			settled = time.After(settleTime)
		}
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case e, ok := <-w.notify.Events:
			if !ok {
				return fmt.Errorf("settings files can no longer be watched")
			}
			if w.concerns(e) {
				soon()
			}
		case err, ok := <-w.notify.Errors:
			if !ok {
				return fmt.Errorf("settings files can no longer be watched")
			}
			if err != nil {
				soon() // events were lost: look at everything
			}
		case <-settled:
			settled = nil
			if err := w.look(); err != nil {
				return err
			}
		}
	}
}

// look watches first and reads then, so that nothing can change unnoticed in
// between.
func (w *watcher) look() error {
	if err := w.arm(); err != nil {
		return err
	}
	s, reports := Reload(w.Options, w.current)
	if s.unchanged(w.current) && len(reports) == 0 {
		return nil
	}
	w.current = s
	w.on(s, reports)
	return nil
}

// arm watches the directory of every file, or the nearest one that exists: files
// appear later, and editors replace them. A directory may come or go while it is
// being armed, before anybody would be told; so it looks again until nothing moved.
func (w *watcher) arm() error {
	w.paths = w.watched()
	for wanted := w.wanted(); ; {
		for dir := range wanted {
			// Adding again is needed when the directory was replaced by another.
			if err := w.notify.Add(dir); err != nil && !os.IsNotExist(err) {
				return fmt.Errorf("%s cannot be watched: %w (raise fs.inotify.max_user_watches if it is exhausted)", dir, err)
			}
		}
		again := w.wanted()
		if maps.Equal(wanted, again) {
			w.release(wanted)
			return nil
		}
		wanted = again
	}
}

// wanted are the directories to watch now.
func (w *watcher) wanted() map[string]bool {
	all := map[string]bool{}
	for _, path := range w.paths {
		all[existing(filepath.Dir(path))] = true
		if w.listed[path] {
			all[existing(path)] = true
		}
	}
	return all
}

// release stops watching what is no longer wanted.
func (w *watcher) release(wanted map[string]bool) {
	for _, dir := range w.notify.WatchList() {
		if !wanted[dir] {
			_ = w.notify.Remove(dir) // it may be gone already, and its watch with it
		}
	}
}

// watched lists the files to watch for, and the files behind links, also behind
// those that lead nowhere yet.
func (w *watcher) watched() []string {
	var all []string
	add := func(path string) {
		all = append(all, path)
		if end, _ := follow(path); end != path {
			all = append(all, end)
		}
	}
	for _, s := range w.slots(looked{}) {
		if s.inline == "" {
			add(s.path)
		}
	}
	w.listed = map[string]bool{}
	for _, file := range w.ManagedFiles {
		dir := dropInDir(file)
		add(dir)
		w.listed[dir] = true
	}
	add(w.mcpPath())
	if w.StateDir != "" {
		add(w.trustFile())
	}
	return all
}

// existing is the nearest directory that exists.
func existing(dir string) string {
	for {
		info, err := os.Stat(dir)
		parent := filepath.Dir(dir)
		if err == nil && info.IsDir() || parent == dir {
			return dir
		}
		dir = parent
	}
}

// concerns: the event is about a file that is watched for, or a directory on the
// way to it.
func (w *watcher) concerns(e fsnotify.Event) bool {
	if e.Op == fsnotify.Chmod && !w.isFile(e.Name) {
		return false
	}
	dir := filepath.Dir(e.Name)
	for _, path := range w.paths {
		if path == e.Name || path == dir && w.listed[dir] || strings.HasPrefix(path, e.Name+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

func (w *watcher) isFile(path string) bool {
	for _, p := range w.paths {
		if p == path {
			return true
		}
	}
	return false
}
