package shell_test

import (
	"slices"
	"testing"

	"github.com/assent-dev/assent/shell"
)

func TestA1_DeletedTrees(t *testing.T) {
	for command, want := range map[string][]string{
		"rm -rf build": {"build"}, "rm -r ./a b": {"./a", "b"}, "rm --recursive x": {"x"}, "sudo rm -Rf d": {"d"}, "sh -c 'rm -rf d'": {"d"}, "cd d && rm -fr e": {"e"},
		"find . -name '*.o' -delete": {"."}, "rsync -a --delete a/ b/": {"b/"}, "git rm -r src": {"src"}, "find d -exec rm -rf {} +": {"d", "d/\xff", "\xff"},
		"rm -f file.o": nil, "rm a b c": nil, "rm -f d/*.o": nil, "rmdir d": nil, "mv a b": nil, "gmv a b": nil, "git mv a b": nil, "git -C sub mv a b": nil, "git rm a.go": nil, "rsync -a a/ b/": nil, "ls -R d": nil, "cp -r a b": nil, "find . -name x": nil, "echo rm -rf d": nil,
	} {
		var got []string
		for _, a := range shell.Parse(command).DeletedTrees() {
			got = append(got, a.Path)
		}
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}
