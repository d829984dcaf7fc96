package shell_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/shell"
	"pgregory.net/rapid"
)

// accessCases give for each command what it does: r reads, w writes, d deletes; the
// marks are shown as $ and *.
var accessCases = []struct{ command, want string }{
	{"cat .env", "r:.env"},
	{"tar xfC a sub", "r:a w:sub"},
	{"tar xCf sub a", "w:sub r:a"},
	{"tar cfC a sub x", "w:a r:sub r:x"},
	{"rsync -a other/.git sub", "r:other/.git w:sub/.git w:sub"},
	{"rsync -a other/.git/ sub", "r:other/.git/ w:sub"},
	{"cp -r other/.git sub", "r:other/.git w:sub/.git w:sub"},
	{"cp --parents a/.git/x sub/", "r:a/.git/x w:sub/a/.git/x w:sub/"},
	{"ffmpeg -i a b", "r:a w:b"},
	{"7z a x.7z src", "w:x.7z r:src"},
	{"7z x x.7z -oout", "r:x.7z w:out"},
	{"vim -c 'w b' -c 'r c' a", "w:b r:c w:a"},
	{"cat -n .env", "r:.env"},
	{"cat ~/.ssh/id", "r:~/.ssh/id"},
	{`cat "$HOME/x" ${HOME}`, "r:~/x r:~"},
	{`cat "${HOME}x"`, "r:$x"},
	{`cat '~/x' "~"`, "r:./~/x r:./~"},
	{"cat ~root/x ~+/y", "r:~root/x r:./y"},
	{`cat "$X" *.go`, "r:$ r:*.go"},
	{"cat - /dev/stdin /dev/null /dev/fd/3", ""},
	{"cat < a > b 2>> c", "r:a w:b w:c"},
	{"cat 2>&1 >/dev/null <<< x", ""},
	{"> a", "w:a"},
	{"while read l; do echo $l; done < a > b", "r:a w:b"},
	{"echo a b > c", "w:c"},
	{"mytool .env --config=c -f.env -x y k=v @z", "r:.env r:c r:.env r:y r:k=v r:v r:@z r:z"},
	{`"$CMD" .env`, "r:.env"},
	{"sudo cat .env", "r:.env"},
	{"timeout 5 cat .env", "r:.env"},
	{"bash -c 'cat .env'", "r:.env"},
	{"echo $(cat .env)", "r:.env"},
	{"grep -r TODO src", "r:src"},
	{"grep -f pats -e x a", "r:pats r:a"},
	{"rg --files src", "r:src"},
	{"rg x -g '*.go' src", "r:src"},
	{"sed s/a/b/ f", "r:f"},
	{"sed -n -e p f", "r:f"},
	{"sed -i s/a/b/ f g", "w:f w:g"},
	{"sed -i.bak -e s/a/b/ f", "w:f"},
	{"sed --in-place=.bak s/a/b/ f", "w:f"},
	{"sed r.env f", "r:.env r:f"},
	{"sed R.env f", "r:.env r:f"},
	{"sed 'r .env' f", "r:.env r:f"},
	{"sed $'r\\t.env' f", "r:.env r:f"},
	{"sed '1r.env' f", "r:.env r:f"},
	{"sed '0r.env' f", "r:.env r:f"},
	{"sed '1,/b/!R.env' f", "r:.env r:f"},
	{"sed '/a/I r.env' f", "r:.env r:f"},
	{"sed '\\,a,r.env' f", "r:.env r:f"},
	{"sed 's/a/b/;R.env' f", "r:.env r:f"},
	{"sed '1{r.env' f", "r:.env r:f"},
	{"sed '1{r.env}' f", "r:.env} r:.env r:f"},
	{"sed 'r a;r.env' f", "r:a;r.env r:a r:.env r:f"},
	{"sed $'p\\nr.env\\np' f", "r:.env r:f"},
	{"sed -e p -e R.env f", "r:.env r:f"},
	{"sed --expression=r.env f", "r:.env r:f"},
	{"sed -er.env f", "r:.env r:f"},
	{"sed -n 's/a/b/w o' f", "w:o r:f"},
	{"sed -n 's/a/b/wo' f", "w:o r:f"},
	{"sed -n 's/a/b/gwo' f", "w:o r:f"},
	{"sed -n 's/a/b/2pIw o' f", "w:o r:f"},
	{"sed -n 's/a/b/p w o' f", "w:o r:f"},
	{"sed -n 's/a/b/ewo' f", "w:o r:f"},
	{"sed 'wo' f", "w:o r:f"},
	{"sed '$!Wo' f", "w:o r:f"},
	{"sed $'wo\\nr.env' f", "w:o r:.env r:f"},
	{"sed $'a\\\\\\nx\\nr.env' f", "r:.env r:f"},
	{"sed 's/for/bar words/' f", "r:f"},
	{"sed '/r.env/d;a r.env' f", "r:f"},
	{"sed 's/a/r.env/;y/abc/rwe/' f", "r:f"},
	{"sed ':r;N;br' f", "r:f"},
	{"sed 'r/dev/stdin' f", "r:f"},
	{"sed 'k r.env' f", "r:$ w:$ r:f"},
	{"awk -F: '{print}' f", "r:f"},
	{`awk '{while ((getline l < ".env") > 0) print l}' f`, "r:.env r:f"},
	{`awk '{getline<".env"; print}' f`, "r:.env r:f"},
	{`awk '{print >> "lock" "ed"}' f`, "w:locked r:f"},
	{`awk '{print > ("lock" n)}' f`, "w:lock$ r:f"},
	{`awk '{print > "\154ocked"}' f`, "w:$ r:f"},
	{`awk '{getline < ("." "env")}' f`, "r:$ r:.env r:f"},
	{`awk '{getline < (".env")}' f`, "r:.env r:f"},
	{`awk '{getline < (".env") x}' f`, "r:.env$ r:f"},
	{`awk '{getline < (1 ? ".env" : "b")}' f`, "r:$ r:1 r:f"},
	{`awk '{getline < ("a" ? ".env" : "b")}' f`, "r:$ r:a r:f"},
	{`awk '{getline a["x" < "y"] < ".env"}' f`, "r:y r:y$ r:.env r:f"},
	{`awk -v f=.env 'BEGIN{while ((getline l < f) > 0) print l}'`, "r:$ r:.env"},
	{`awk '{getline < $1; print}' f`, "r:$ r:f"},
	{`original-awk '{getline < ".env"}' f`, "r:.env r:f"},
	{`awk '{getline line < "./" x}' f`, "r:./$ r:f"},
	{`awk 'BEGIN{ARGV[1] = ".env"; ARGC = 2} 1'`, "r:$"},
	{"git fast-export --export-marks .env HEAD", "r:. w:.env"},
	{"git fast-import --export-marks=.env --import-marks=a", "w:.env r:a"},
	{"cp -r ext/. .", "r:ext/. w:."},
	{`gawk '@include ".env"'`, "r:$"},
	{`gawk -e 'BEGIN{getline < f}' f`, "r:$ r:f"},
	{`gawk --source='BEGIN{getline < f}' f`, "r:$ r:f"},
	{"gawk -W file=x", "r:$"},
	{"mawk -W exec x", "r:$"},
	{"gawk -i .env -l ./x 1 f", "r:.env r:./x r:f r:$"},
	{`awk '{while ((getline l < "x") > 0 && n < 5) n++}' f`, "r:x r:f"},
	{`awk '$1 < x {getline; print} $1 < 3' f`, "r:f"},
	{`awk '{getline; for (i = 0; i < n; i++) print}' f`, "r:f"},
	{`awk '{print > "out"; x = 1}' f`, "w:out r:f"},
	{"awk -i inplace 1 f", "w:f r:inplace r:$"},
	{"perl -pi -e s/a/b/ f", "w:f"},
	{"perl s.pl f", "r:s.pl r:f"},
	{"jq --arg a b .x f", "r:f"},
	{"yq ../x", "r:../x"},
	{"yq -p xml ../x", "r:../x"},
	{"yq -P ../x", "r:../x"},
	{"yq .a x", "r:x"},
	{"yq -o json .a x y", "r:x r:y"},
	{"ag -C a b", "r:b"},
	{"ag --context a b", "r:b"},
	{"ag -C 3 a b", "r:b"},
	{"ag -C3 a b", "r:b"},
	{"ack -A a b", "r:b"},
	{"cp a b", "r:a w:b"},
	{"cp a b d", "r:a w:d/a r:b w:d/b w:d"},
	{"cp -t d a", "w:d r:a w:d/a"},
	{"cp x/.bashrc ~", "r:x/.bashrc w:~/.bashrc w:~"},
	{"cat {,a}~/x", "r:~/x r:a~/x"},
	{"cp -r hooks .github", "r:hooks w:.github/hooks w:.github"},
	{"mv a b", "d:a w:b"},
	{"ln -s ../x", "r:../x w:./x"},
	{"ln -s a b", "r:a w:b"},
	{"install -m 755 a b", "r:a w:b"},
	{"rm -rf a -- -b", "d:a d:-b"},
	{"unlink a", "d:a"},
	{"touch a", "w:a"},
	{"mkdir -p -m 700 a", "w:a"},
	{"tee -a a b", "w:a w:b"},
	{"truncate -s 0 a", "w:a"},
	{"chmod +x a", "w:a"},
	{"chmod -x a", "w:a"},
	{"chmod --reference=r a", "r:r w:a"},
	{"chown -R me:me a b", "w:a w:b"},
	{"dd if=a of=b bs=1", "r:a w:b"},
	{"sort -o a b", "w:a r:b"},
	{"sort -uo a b", "w:a r:b"},
	{"uniq a b", "r:a w:b"},
	{"tar czf a.tgz src", "w:a.tgz r:src"},
	{"tar xf a.tgz -C d", "r:a.tgz w:d"},
	{"tar -cf a.tar -C d x", "w:a.tar r:d r:x"},
	{"tar cz ~/.ssh", "r:~/.ssh"},
	{"gzip a", "w:a"},
	{"gzip -dc a", "r:a"},
	{"zip -r a.zip src", "w:a.zip r:src"},
	{"unzip a.zip -d d", "r:a.zip w:d"},
	{"patch f p", "w:f r:p"},
	{"curl -o a https://x/y", "w:a"},
	{"curl -sLo a https://x/y", "w:a"},
	{"curl -O 'https://x/y.sh?z'", "w:y.sh"},
	{"curl -d @a -F 'f=@b;type=x' -T c --data-urlencode k@e https://x", "r:a r:b r:c r:e"},
	{"curl file:///etc/passwd", "r:/etc/passwd"},
	{"wget https://x/y.sh", "w:y.sh"},
	{"wget -O a https://x/y", "w:a"},
	{"git add a", "r:a"},
	{"git commit -m 'a b' -F f", "r:f"},
	{"git checkout -- a", "w:a"},
	{"git rm a", "d:a"},
	{"git config --file f k v", "w:f"},
	{"git config --file f --get k", "r:f"},
	{"git push origin main", ""},
	{"find . -name '*.go'", "r:."},
	{"find a b -delete", "d:a d:b"},
	{"find -name x -fprint o", "w:o"},
	{"python3 s.py a", "r:s.py r:a"},
	{"python3 -c 'x' a", "r:a"},
	{"bash s.sh", "r:s.sh"},
	{". ./env", "r:./env"},
	{"test -f a", "r:a"},
	{"docker run --env-file .env x", "r:run r:.env r:x"},
	{"scp a h:b", "r:a"},
	{"scp h:a b", "w:b"},
	{"rsync -a a/ u@h:b", "r:a/"},
	{"vim +3 a", "w:a"},
	{"ex -s a", "w:a"},
	{"xargs -a l echo", "r:l"},
	{"go build -o b ./c", "r:build w:b r:./c"},
	{"sqlite3 db 'select 1'", "w:db"},
	{"sqlite3 -Ax a b", "w:a w:a w:b"},
	{"sqlite3 'file:%2egit/x?mode=rwc' 'select 1'", "w:.git/x w:file:%2egit/x?mode=rwc"},
	{"sqlite3 db \"attach 'file:a?x=1' as y\"", "w:a w:db"},
	{"sqlite3 db \"vacuum into 'a'\"", "w:a w:db"},
	{"sqlite3 db '.ar x a'", "w:x w:a w:db"},
	{"curl -w '%output{a}b%output{>>c}' u", "w:a w:c"},
	{"wget -e output_document=a u", "w:a"},
	{"aws s3 cp s3://b/k a", "r:s3 r:cp w:a"},
}

func TestAccesses(t *testing.T) {
	t.Parallel()
	for _, c := range accessCases {
		got := accesses(shell.Parse(c.command))
		for want := range strings.FieldsSeq(c.want) {
			if !slices.Contains(got, want) {
				t.Errorf("%s: %s is missing in %v", c.command, want, got)
			}
		}
		for _, one := range got {
			if !strings.Contains(" "+c.want+" ", " "+one+" ") && !guessed(c.command) {
				t.Errorf("%s: unexpected %s", c.command, one)
			}
		}
	}
}

// guessed: programs for which the script lists several readings.
func guessed(command string) bool {
	for _, name := range []string{"docker", "scp", "aws", "go "} {
		if strings.HasPrefix(command, name) {
			return true
		}
	}
	return false
}

var marks = strings.NewReplacer("\xff", "$", "\xfe", "*")

func accesses(s *shell.Script) []string {
	var out []string
	for _, a := range s.Accesses() {
		out = append(out, a.Mode.String()[:1]+":"+marks.Replace(a.Path))
	}
	return out
}

func TestPaths(t *testing.T) {
	t.Parallel()
	tests := []struct{ command, want string }{
		{"cat x", "[x]"},
		{"cd sub && cat x", "[sub/x]"},
		{"cd sub; cat x", "[sub/x x]"},
		{"cd sub && cat ../x", "[sub/../x]"},
		{"cd sub && cat /x", "[/x]"},
		{"cd sub && cat ~/x", "[~/x]"},
		{"cd / && cat x", "[/x]"},
		{"cd ~ && cat x", "[~/x]"},
	}
	for _, test := range tests {
		s := shell.Parse(test.command)
		all := s.Accesses()
		if got := fmt.Sprint(s.Paths(all[len(all)-1])); got != test.want {
			t.Errorf("%s: %s, want %s", test.command, got, test.want)
		}
	}
}

func TestAccessSpan(t *testing.T) {
	t.Parallel()
	source := "cat a > b; curl -o c https://x"
	s := shell.Parse(source)
	for _, a := range s.Accesses() {
		if got := source[a.Span.Start:a.Span.End]; got != a.Path {
			t.Errorf("span of %q is %q", a.Path, got)
		}
		if a.Redirect != (a.Path == "b") {
			t.Errorf("%q: Redirect is %v", a.Path, a.Redirect)
		}
	}
}

// The first list holds what the sure one does, and besides only files that are read and
// turn out to be seen.
func TestFirstAccesses(t *testing.T) {
	t.Parallel()
	for command, longer := range map[string]bool{
		`cat "$F"`: false, `grep "$F" x`: false, `for f in a b; do cat "$f"; done`: false,
		`for f in logs/*.log; do gzip "$f"; done`: true, `X=a; grep "$X" x`: true, `X=-f; grep "$X" x`: true, `X=a; X=-r; grep "$X" x; cat y`: true,
		`X=a; dd "$X"`: false, // what may be changed is looked at at once
	} {
		s := shell.Parse(command)
		first, got := s.FirstAccesses()
		if got != longer {
			t.Errorf("%s: %v, want %v", command, got, longer)
		}
		sure := s.SureAccesses()
		left := slices.DeleteFunc(slices.Clone(first), s.Seen)
		if !slices.Equal(left, sure) || !slices.Equal(s.SureAccesses(), sure) {
			t.Errorf("%s: %v, want %v", command, left, sure)
		}
		for _, a := range first {
			if s.Seen(a) && a.Mode != shell.Reads {
				t.Errorf("%s: %v is in the list", command, a)
			}
		}
	}
}

// TestUnknownProgramHidesNothing: whatever options stand around it, a path given to
// a program that is not known is listed.
func TestUnknownProgramHidesNothing(t *testing.T) {
	t.Parallel()
	options := rapid.SampledFrom([]string{"-a", "--b", "--c=d", "-e f", "g", "--", "-hij", "--k l"})
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(options, 0, 6).Draw(t, "words")
		at := rapid.IntRange(0, len(words)).Draw(t, "at")
		form := rapid.SampledFrom([]string{".env", "--file=.env", "-f .env", "@.env", "in=.env"}).Draw(t, "form")
		if strings.HasPrefix(form, "-") && slices.Contains(words[:at], "--") {
			form = ".env" // behind -- nothing is an option
		}
		words = slices.Insert(words, at, form)
		command := "mytool " + strings.Join(words, " ")
		if got := accesses(shell.Parse(command)); !slices.Contains(got, "r:.env") {
			t.Fatalf("%s: %v", command, got)
		}
	})
}

func BenchmarkAccesses(b *testing.B) {
	s := shell.Parse("cat a.txt | grep -n x > out.txt && mytool --config=c b")
	b.ReportAllocs()
	for b.Loop() {
		s.Accesses()
	}
}
