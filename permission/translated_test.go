package permission_test

import "testing"

// $"…" is what a catalogue makes of it, and that is expanded.
func TestP16_TranslatedText(t *testing.T) {
	c := commands{stopped: []string{`echo $"hello"`, `cat $"x"`, `cat a$"x"b`, `LC_ALL=C.UTF-8; TEXTDOMAIN=evil; echo $"hello"`, `x=$"hello"; echo "$x"`, `cat < $"x"`, `cat <<< $"x"`, `[[ $"x" == y ]]`, `case $"x" in y) ls;; esac`, `for f in $"x"; do ls; done`, `ls {$"x",y}`, `echo ${x:-$"y"}`, `a=($"x"); ls`, `bash -c 'echo $"x"'`, `$"ls" src`, `echo $""`}}
	newWorld(t, lists{}).check(c)
	readDenied(t).check(c)
	newWorld(t, lists{}).check(commands{free: []string{`echo "$"`, `echo "a$"`, `echo "\$"hello`, `echo $'hello'`, "cat <<'X'\n$\"x\"\nX", "cat <<X\n$\"x\"\nX"}})
}
