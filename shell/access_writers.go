package shell

// Programs that write or delete the files they name.
var writingPrograms = []spec{
	{names: "tee sponge", operands: writeAll},
	{names: "touch", operands: writeAll, grammar: grammar{values: "d t date time", reads: "r reference"}},
	{names: "mkdir mkfifo mknod", operands: writeAll, grammar: grammar{values: "m mode"}},
	{names: "truncate", operands: writeAll, grammar: grammar{values: "s size", reads: "r reference"}},
	{names: "mktemp", operands: writeAll, grammar: grammar{values: "suffix", writes: "p tmpdir"}},
	{names: "setfacl", operands: writeAll, grammar: grammar{values: "m x modify remove set", reads: "M X"}},

	{names: "rm grm rmdir unlink srm " + treeRemovers, operands: deleteAll},
	{names: "shred", operands: deleteAll, grammar: grammar{values: "n s iterations size", reads: "random-source"}},

	{names: "cp gcp install ginstall", operands: copyLast, grammar: copyGrammar},
	{names: "ditto", operands: copyLast},
	{names: "convert magick", operands: copyLast, grammar: grammar{writes: "path write", single: true}},
	{names: "ffmpeg", operands: writeAll, grammar: grammar{reads: "i", single: true}},
	{names: "mv gmv", operands: moveLast, grammar: copyGrammar},
	{names: "ln gln", operands: linkLast, grammar: copyGrammar},
	{names: "link", operands: linkLast},
	{names: "chmod chown chgrp gchmod gchown", operands: modeFirst, grammar: grammar{values: "from", reads: "reference"}},
	{names: "chattr chflags", operands: modeFirst, grammar: grammar{values: "v p"}},

	{names: "split", operands: readThenWrite, grammar: grammar{
		values: "a b C l n t suffix-length bytes line-bytes lines number filter additional-suffix separator",
	}},
	{names: "uniq", operands: readThenWrite, grammar: grammar{values: "f s w skip-fields skip-chars check-chars"}},
	{names: "xxd", operands: readThenWrite, grammar: grammar{values: "c g l s o n"}},
	{names: "sqlite3 sqlite", operands: database, grammar: grammar{values: "cmd separator nullvalue", reads: "init", single: true}},

	{
		names: "gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma lz4 compress uncompress", operands: compressor,
		grammar: grammar{values: "S T suffix threads"},
	},
	{names: "zstd unzstd", operands: compressor, grammar: grammar{values: "T?", reads: "D", writes: "o output-dir-flat"}},
	{names: "brotli", operands: compressor, grammar: grammar{values: "q w quality", writes: "o output"}},
	{names: "zip", operands: writeFirst, grammar: grammar{values: "n t x i P", writes: "O out"}},
	{names: "ar", operands: writeAll, grammar: grammar{writes: "output"}},
	{names: "unzip", operands: extractor, grammar: grammar{values: "x P", writes: "d"}},
	{names: "7z 7za 7zr 7zz", operands: extractor, grammar: grammar{values: "p? m? t?", writes: "o"}},
	{names: "tar gtar bsdtar jar", operands: archiver, grammar: grammar{
		values: "b H L N V K I s exclude transform xform owner group mode strip-components to-command checkpoint-action use-compress-program format",
		reads:  "T X files-from exclude-from", writes: "f C g file directory listed-incremental index-file",
	}},
	{names: "patch", operands: patcher, grammar: grammar{
		values: "p F D g V z B Y strip fuzz", reads: "i input", writes: "o d r output directory reject-file",
	}},
	{names: "dd gdd", operands: keyEqualsPath},

	{names: "rsync", operands: remoteCopy, grammar: grammar{
		values: "e f B rsh filter exclude include port timeout bwlimit chmod chown rsync-path suffix max-size min-size",
		reads:  "exclude-from include-from files-from password-file", writes: "T log-file backup-dir temp-dir partial-dir write-batch only-write-batch",
	}},
	{names: "scp", operands: remoteCopy, grammar: grammar{values: "c D J l o P S X", reads: "i F"}},
	{names: "aws gsutil rclone s3cmd azcopy mc", operands: cloudCopy, grammar: grammar{
		values: "profile region output query endpoint-url exclude include storage-class acl config",
	}},
	{names: "curl", operands: transfer, grammar: grammar{
		values: "A C d e F H h m P Q r t u U w x X y Y z data data-ascii data-binary data-raw data-urlencode json form form-string user user-agent " +
			"proxy-header url request referer range proxy max-time connect-timeout retry resolve write-out limit-rate interface proto variable url-query " +
			"expand-data expand-data-binary expand-data-urlencode expand-form expand-header expand-json expand-url expand-url-query expand-variable",
		reads:  "K T b E config upload-file cookie cert key etag-compare cacert capath netrc-file",
		writes: "o D c output dump-header cookie-jar output-dir trace trace-ascii stderr etag-save ssl-sessions hsts libcurl alt-svc",
	}},
	{names: "wget", operands: transfer, grammar: grammar{
		values: "U T t e w Q l A R D B I X user-agent timeout tries execute wait quota level header post-data body-data method user password",
		reads:  "i input-file load-cookies post-file body-file ca-certificate config",
		writes: "O o a P output-document output-file append-output directory-prefix save-cookies warc-file rejected-log hsts-file",
	}},

	{names: "aria2c axel fetch", operands: transfer, grammar: grammar{values: "x s j header", reads: "i input-file", writes: "o d l out dir log output save-session save-cookies"}},
	{names: "script", operands: writeAll, grammar: grammar{values: "c E o command echo output-limit", writes: "I O B T log-in log-out log-io log-timing"}},

	{names: "find gfind", operands: finder, grammar: grammar{single: true}},
	{names: "git", operands: versionControl},
	{names: "docker podman nerdctl docker-compose", operands: container, grammar: grammar{reads: "f env-file file"}},
	{names: "vim vi nvim ex gvim vimdiff", operands: editor, grammar: grammar{values: "c T cmd", reads: "S u i", writes: "w W"}},
	{names: "ed nano pico emacs micro joe mcedit", operands: editor},
}

var copyGrammar = grammar{values: "S g m o suffix group mode owner context no-preserve", writes: "t target-directory"}
