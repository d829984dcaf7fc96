package permission_test

import "testing"

// TestS25_TextThatIsEvaluated: a deny rule about a file holds for what bash finds in a value.
func TestS25_TextThatIsEvaluated(t *testing.T) {
	newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Read(./.env)"}}).asked(`x='$(<.env)'; echo "${x@P}"
x='$(cat .env)'; echo "${x@P}"
echo "${x@P}"
x='a[$(cat .env)]'; declare -n r=$x; echo $r
x=a y='[$(cat .env)]'; echo $((x$y))
x='cat .env'; y='a[$('$x')]'; echo $((y))
x='a[$' y='(cat .env)]'; echo $(($x$y))
mapfile x <<< 'a[$(cat .env)]'; echo $((x[0]))
set -- 'a[$(cat .env)]'; echo $(($1))
f() { [[ $1 -gt 0 ]]; }; f 'a[$(cat .env)]'
echo 'a[$(cat .env)]' > x; read y < x; echo $((y))
x='a[$(cat .env)]'; printf -v "$x" y
x='a[$(cat .env)]'; echo "${!x}"
x='a[$(cat .env)]'; declare "$x=1"
x='($(cat .env))'; declare -a y=$x; echo "${y[@]}"
x='($(cat .env))'; y=(a); declare y="$x"; echo "${y[@]}"`, `n=$(awk '{print $1}' f); echo $((n+1))
read n < f; (( n > 1 )) && echo yes
total=0; while read -r n; do total=$((total+n)); done < f; echo $total
x=$(grep -c 'a$' f); [[ $x -gt 0 ]] && echo x`)
}

// TestS25_CommandsInOptions: programs that run what an option, a setting or a file of theirs names.
func TestS25_CommandsInOptions(t *testing.T) {
	newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Bash(make:*)", "Bash(npm publish:*)"}}).asked(`npx --call=make
git merge-index make -a
git merge-index -o -q make -a
git remote-ext x make
pnpm make
pnpm -C x make all
wget -e use_askpass=make x
wget --execute=use_askpass=make x
gs -o '%pipe%make' x
convert '|make' x.png
guile -c '(system "make")'
racket -e '(system "make")'
sbcl --eval '(run-program "make")'
mutt -e 'shell-escape make'
tar xIf make y
tar cFf make y z
nano -s make f
npm config set script-shell make
npm -g config set script-shell=make
pnpm config set script-shell make
node /usr/bin/npm publish
node $(which npm) publish
node node_modules/npm/bin/npm-cli.js publish`, `git remote-ext
pnpm test
pnpm build
pnpm install
tar xzf a.tgz
node dist/build.js
node scripts/make.js
npm config set registry x
convert a.png b.jpg
gs -o x.pdf y.ps`)
}

// TestS25_CopiesOfPrograms: a program by another name is still that program.
func TestS25_CopiesOfPrograms(t *testing.T) {
	newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Bash(make:*)", "Bash(npm publish:*)"}}).asked(`cp /usr/bin/make m; ./m
ln -s /usr/bin/make m; ./m
install -m755 /usr/bin/make bin/m && bin/m
cp /usr/bin/npm q; ./q publish
cp /usr/bin/make m; cp m n; sudo ./n`, `cp scripts/run.sh bin/run; ./bin/run
ln -s dist/cli.js bin/cli; ./bin/cli --help
cp /usr/bin/npm q; ./q test`)
}

// TestS25_ProgramsInInput: programs in languages of their own that are read from standard input, or
// stand in an option.
func TestS25_ProgramsInInput(t *testing.T) {
	newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Bash(make:*)"}}).asked(`groff -U <<< '.sy make'
troff -U <<< '.sy make'
pic -U <<< 'sh X make X'
m4 <<< 'syscmd(make)'
echo 'syscmd(make)' | m4
echo 'syscmd(make)' | m4 -
gnuplot <<< 'system "make"'
gnuplot -e 'system("make")'
octave <<< 'system("make")'
octave --eval 'system("make")'
ocaml <<< 'Sys.command "make"'
ocaml -e 'Sys.command "make"'
cmake -P /dev/stdin <<< 'execute_process(COMMAND make)'
swipl -g 'shell(make)'
swipl -g "shell(make)" -t halt
swipl <<< ':- shell(make).'
crystal eval 'system("make")'
curl -s http://localhost/x | m4`, `groff -man -Tutf8 x.1
m4 x.m4
m4 -DX=1 x.m4 > x
gnuplot plot.gp
cmake -P script.cmake
cmake -S . -B build
swipl -g main x.pl
crystal build x.cr
ocaml x.ml`)
}
