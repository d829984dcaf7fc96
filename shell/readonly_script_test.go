package shell

import "testing"

func TestReadOnly_Sed(t *testing.T) {
	checkReadOnly(t, `
		sed -n '/func/p' main.go
		sed -n 1,5p main.go
		sed -n '1,5p;10q' main.go
		sed 's/a/b/' in.txt
		sed -E 's/(a|b)+/\1/gI' f
		sed 's|/usr|/opt|g;s,x,y,2p' f
		sed 's/[^/]*$//' f
		sed 's/[\/]/_/g' f
		sed 's#w out#e#' f
		sed -e 's/a/b/' -e '/^$/d' f
		sed '$!N;s/\n/ /;P;D' f
		sed ':a;N;$!ba;s/\n/ /g' f
		sed $'s/\r$//' f
		sed $'/x/{\nr y\nd\n}' f
		sed $'# text\n/x/r y' f
		sed '/start/,/end/{ /x/!d; s/w/e/; }' f
		sed '2~3p;0~4d;/x/,+2d' f
		sed '1a hello w out' f
		sed '1i\  hello' f
		sed 'y/abc/xyz/' f
		sed -n '$=' f
		sed -n l f
		sed '/x/r other.txt' f
		sed '\%a/b%d' f
		sed '# w out' f
		sed -s -n -z 1p a b
		sed --quiet --expression=p f
		sed -ne p -- f
		sed 's/[[:space:]w]*/x/' f
		sed -n '/[w]/p' f
		sed --version
		sed p ./*.txt
	`, `
		sed -i s/a/b/ f
		sed -i.bak s/a/b/ f
		sed -ni p f
		sed -n -i p f
		sed p f -i
		sed p -i f
		sed -Ei s/a/b/ f
		sed --in-place s/a/b/ f
		sed --in-pl s/a/b/ f
		sed --i s/a/b/ f
		sed -I '' s/a/b/ f
		sed -f script f
		sed --file=script f
		sed -nf script f
		sed 'w out' f
		sed '1w out' f
		sed -n '1W out' f
		sed '/x/w out' f
		sed '1,5!w out' f
		sed 's/a/b/w out' f
		sed 's/a/b/gw out' f
		sed 's/a/b/2pw out' f
		sed 's/a/b/ w out' f
		sed 's/a/b/;w out' f
		sed 's/a/b/e' f
		sed 's/a/b/ge' f
		sed '1e id' f
		sed e f
		sed '{e id' f
		sed '/x/{s/a/b/;w out' f
		sed 'sxaxbxw out' f
		sed 's,a,b\,,w out' f
		sed 's/a/b/}w out' f
		sed ':a;w out' f
		sed $'#x\rw out' f
		sed $':x\rw out' f
		sed $'b x\vw out' f
		sed $'t\\\na\f\rw out' f
		sed $'r x;a\\\ns/a/b/w out' f
		sed $'1{r x}\na\\\np' f
		sed 'ba;w out' f
		sed 'y/a/b/;w out' f
		sed '\%a%w out' f
		sed 's/[/]/w x/g' f
		sed 's/[\]/x/;a ]/y/w out' f
		sed -e 's/a\' -e '/b/w out' f
		sed -e p -e 'w out' f
		sed -e p -e e f
		sed --expression='w out' f
		sed --expr 'w out' f
		sed "s/$A/$B/" f
		sed "$X" f
		sed $X f
		sed -n "${N}p" f
		sed p "$F"
		sed p $F
		sed p *.txt
		sed 'k' f
		sed 's/a' f
		sed 's/a/b' f
		sed 's/a/b/q' f
		sed -l 5 p f
		sed --frob p f
	`)
	checkScripts(t, sedScript, []scriptCase{
		{"1a\\\nhello\\\nw out", true},
		{"1a\\\nhello\nw out", false},
		{"a hello\nw out", false},
		{"a\\\n\nw out", false},
		{"r file\nw out", false},
		{"# comment\nw out", false},
		{":a;a x\\\nw out", false},
		{":a;s/x/y\\\nw out/", false},
		{"s/a/b\\\nc/\np", true},
		{"s/a/b\nw out/", false},
	})
}

// scriptCase is a script of several lines.
type scriptCase struct {
	script string
	reads  bool
}

func checkScripts(t *testing.T, judge func(string) string, cases []scriptCase) {
	t.Helper()
	for _, tt := range cases {
		if why := judge(tt.script); (why == "") != tt.reads {
			t.Errorf("%q: %q, want reads %v", tt.script, why, tt.reads)
		}
	}
}

func TestReadOnly_Awk(t *testing.T) {
	checkReadOnly(t, `
		awk '{print $1}' data.txt
		awk 'NR>1 {s+=$2} END {print s}' data.txt
		awk -F: '$3 > 1000 {print $1}' /etc/passwd
		awk -F : -v n=5 'NR<=n' f
		awk -v "x=$X" '$1 == x' f
		awk '/foo|bar/ {print}' f
		awk '!/system\(/' f
		awk '{print "a > b | c", "system(x)"}' f
		awk '{print (a > b)}' f
		awk '{print(a > b, c)}' f
		awk '{ if (a > b) print a; else print b }' f
		awk '{printf "%s %d\n", $1, $2/2}' f
		awk '{ x = a / b / c; print x }' f
		awk '$1 ~ /x/ || $2 > 3 && $3 >= 4' f
		awk '{ print $1 >= 2 }' f
		awk 'BEGIN { while ((getline line < "f") > 0) n++; print n }'
		awk '{ print "x" > "/dev/stderr" }' f
		awk '{ print (NR/2) / 3 }' *.log
		awk '{ a[$1]++ } END { for (k in a) print k, a[k] }' f
		awk 'length > 80' f
		awk 'length($0) > 80 { print FILENAME ":" FNR }' a b
		awk '/[|>]/' f
		awk --posix 1 f
		mawk 1 f
		awk 1 -i
	`, `
		awk 'BEGIN{system("id")}'
		awk 'BEGIN { x = system ("id") }'
		awk '{ x = 1system("id") }' f
		awk '1e5system("id")' f
		awk '0x1fsystem("id")' f
		awk '{print > "out"}' f
		awk '{print $1 > $2}' f
		awk '{print $1, $2 > "out" }' f
		awk '{print >> "out"}' f
		awk '{printf "%s", $1 > "out"}' f
		awk '{printf("%s", $1) > "out"}' f
		awk '{print (a)(b) > "out"}' f
		awk '{print a ? b : c > "out"}' f
		awk '{print | "sh"}' f
		awk '{print |& "sh"}' f
		awk '{"id" | getline x; print x}' f
		awk 'BEGIN { "id" | getline }'
		awk 'BEGIN { while ((getline l < f) > 0) print l }'
		awk 'BEGIN { getline x < "/inet/tcp/0/h/80" }'
		awk 'BEGIN { ARGV[1] = "/inet/tcp/0/h/80"; ARGC = 2 }'
		awk '{ @f($1) }' f=system f
		awk '@load "x"; {print}' f
		awk '@include "x"' f
		awk '/x/ { y = /a/; system("id") }' f
		awk '{ x = a /b; system("id") ; c/ d }' f
		awk '{ if (x) /a/; system("id"); y = 1/2 }' f
		awk '/[/]/ { system("id") } /[/]/' f
		awk '/[]/]/ { print }' f
		awk '/[[:x]/; { system("id") } { y = ":]" }' f
		awk '{ print "a" > "/dev/stderr" ".x" }' f
		awk '"unterminated' f
		awk "$PROG" f
		awk $PROG f
		awk '{print}' "$F"
		awk '{print}' $F
		awk '{print}' /inet/tcp/0/h/80
		awk '{print}' "/$X"
		awk -f prog.awk f
		awk -fprog.awk f
		awk --file=prog.awk f
		awk -F"$X" '{print}' f
		awk -F: -f prog f
		awk -i inplace '{print}' f
		gawk -i inplace '{print}' f
		gawk --include inplace '{print}' f
		gawk --inc=inplace '{print}' f
		gawk -l lib '{print}' f
		gawk -o out '{print}' f
		gawk -p '{print}' f
		gawk -d '{print}' f
		gawk -e '{print}' f
		gawk -E prog f
		awk -bv 'x=system("id")' 1
		awk --assign x=1 'BEGIN{system("id")}'
	`)
	checkScripts(t, awkProgram, []scriptCase{
		{"# system(\"x\")\n{ print }", true},
		{"# x \\\nBEGIN { system(\"x\") }", false},
		{"{ print a,\n b > \"out\" }", false},
		{"{ print a, # why\n b > \"out\" }", false},
		{"{ print a \\\n > \"out\" }", false},
		{"{ print a\n if (b > c) print d }", true},
		{"NR > 1 { print }\nEND { print n > 1 }", false},
		{"function f(a) { return a > 1 }\n{ print f($1) }", true},
		{"{ print \"a\n\" }", false},
		{"/a\nb/", false},
	})
}
