package shell

import "testing"

func TestReadOnly_Text(t *testing.T) {
	checkReadOnly(t, `
		cat -n main.go
		cat "$F" $G *.txt
		cat -- -n
		head -20 f
		head -n -5 f
		head -n5 -c 3 f
		head -$N f
		tail -n +5 f
		tail +5 f
		tail -20f f
		tail -F --pid=$P f
		wc -l *.go
		wc --files0-from=- --total=never
		cut -d: -f1,3 --output-delimiter=, f
		tr -d '\n' < f
		tr -cd '[:alnum:]-_'
		tr - _
		nl -ba f
		sort -k2,2n -t, -u f
		sort -rn
		sort -t o f
		sort -k "$K" f
		sort -- -f.txt
		sort ./*.txt
		sort src/*.txt ~/x $HOME/y
		sort --rev --field-sep=: f
		sort --key 2 f
		uniq -c
		uniq -c f
		uniq -f 1 f
		uniq -3 f
		uniq --count --skip-f=1 f
		diff -ru --exclude=.git a b
		diff --color=always -y -W 120 a b
		jq -r .version package.json
		jq --arg x 1 '.a[$x]' "$F"
		jq -rc "$Q"
		yq -r .a f.yaml
		yq -o=json . f.yaml
		yq eval '.a.b' f.yaml
		base64 -d f
		base64 -w0 f
		od -An -tx1 f
		strings -n 8 f
		column -t -s, f
		comm -12 a b
		paste -sd, f
		shuf -n 1 f
		iconv -f latin1 -t utf8 f
	`, `
		sort -o out in
		sort -oout in
		sort -uo in in
		sort in -o out
		sort --output=out in
		sort --output out in
		sort --o=out in
		sort --outp out in
		sort --compress-program=./x f
		sort --comp=./x f
		sort --comp ./x f
		sort -S1 --comp=./x f
		sort -T . f
		sort -k 1 -o out f
		sort -k -o out f
		sort -t -- -o out f
		sort --key -o f
		sort -k"$X" -- -o f
		sort -k"$X" f
		sort $F
		sort "$F"
		sort *.txt
		sort src/$F
		sort -$X f
		sort --$X f
		sort --key=$X f
		sort --frob f
		sort -j f
		uniq in out
		uniq -c in out
		uniq in -c out
		uniq in -c
		uniq in - 
		uniq -f 1 in out
		uniq -- in out
		uniq $F
		uniq *
		uniq ./*
		uniq "$F"
		base64 -o out f
		base64 -do out f
		base64 --output=out f
		base64 --out=out f
		base64 -ob64.txt
		yq -i .a=1 f
		yq -yi .a=1 f
		yq --in-place .a=1 f
		yq --inpl .a=1 f
		yq -s .a f
		yq e -i .a f
		yq "$X" f
		shuf -o out f
		shuf --out=f f
		iconv -o out f
		cat --frob
		cat -Z f
		tee f
		split f
		csplit f 1
		dd if=a
	`)
}

func TestReadOnly_Files(t *testing.T) {
	checkReadOnly(t, `
		ls -lhS --color=never "$D" *.go
		ls --sort time --group-directories-first
		stat -c %s "$F"
		du -sh -- *
		df -h .
		readlink -f "$0"
		realpath --relative-to=. src
		basename "$0" .sh
		file main.go
		file -b --mime-type main.go
		file -- "$F"
		sha256sum -c sums
		nm -C a.out
		readelf -d f
		tree -L 2 -a -I 'node_modules|dist' src
		tree --dirsfirst --noreport -P '*.go'
		xxd f
		xxd -l 16 -s 4 f
		xxd -c16 -p f
		xxd -r f
		xxd -
		date
		date +%s
		date -u '+%Y-%m-%d %H:%M'
		date -d '-1 day' +%F
		date --date="$D" +%F
		date "+$F"
		date -r f
		date -j -f %Y 2020 +%s
		tar tf x.tar
		tar -tzf x.tar.gz
		tar -tv -f x.tar
		tar --list --file=x.tar
		unzip -l x.zip
		unzip -p x.zip a.txt
		zcat f.gz
		gunzip -c f.gz
		gzip -dc f.gz
		gzip -l f.gz
		xz -dkc f
		zstd -t f
	`, `
		file -C
		file -bC f
		file --compile
		file --comp
		file "$F"
		file *
		nm --plugin=./x.so f
		nm --plug ./x.so f
		nm @args
		readelf "$F"
		objdump --plugin ./x f
		tree -o out
		tree -ao out
		tree -Lo 2 out
		tree -L 2 -o out
		tree -R -L 1
		tree -- -o out
		tree --output=x
		tree "$X"
		tree *
		xxd in out
		xxd in -p
		xxd -p in out
		xxd -l 16 in out
		xxd -r in out
		xxd "$F"
		xxd *
		xxd -cols16 in
		date -s 2020-01-01
		date --set=2020-01-01
		date --se 2020-01-01
		date -us 2020-01-01
		date -s2020-01-01
		date 010100002020
		date -u 010100002020
		date "$X"
		date $X
		date +%s 0101
		date -f %Y 2020
		tar xf x.tar
		tar -xf x.tar
		tar cf x.tar .
		tar -tf x.tar --to-command=./x
		tar -tf x.tar --checkpoint=1 --checkpoint-action=exec=./x
		tar -tf host:x.tar
		tar -tIf ./x x.tar
		tar -tf x.tar -I ./x
		tar -tf x.tar --use-compress=./x
		tar tfx x.tar
		tar -f x.tar
		tar $X
		unzip x.zip
		unzip x.zip -d out
		unzip -l x.zip -d out
		unzip -o x.zip
		zcat -k f
		zstdcat -o out f
		gzip f
		gzip -d f
		gunzip f
		xz -td f
		zstd -ld f
		zstd -dc f -o out
		xz --decompress -c f
		gzip "$F"
	`)
}
