package shell

// fileReaders look at files and directories, or say who and where one is.
var fileReaders = optionTable{
	{"ls", &lister},
	{"dir", &lister},
	{"vdir", &lister},
	{"stat", &optionSpec{loose: true, short: "c:FfHLlnqrstx", long: "dereference file-system format= printf= terse cached= help version"}},
	{"du", &optionSpec{
		loose: true, short: "0AaB:bcDd:gHhI:kLlmnPSst:X:x",
		long: "null all apparent-size block-size= bytes total dereference-args max-depth= files0-from= human-readable inodes " +
			"dereference count-links separate-dirs no-dereference si summarize threshold= time? time-style= exclude-from= exclude= one-file-system " +
			"help version",
	}},
	{"df", &optionSpec{
		loose: true, short: "aB:bgHhIiklmnPT:t:vx:Y",
		long: "all block-size= human-readable si inodes local no-sync output? portability total type= print-type exclude-type= help version",
	}},
	{"readlink", &optionSpec{
		loose: true, short: "efmnqsvz",
		long: "canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero help version",
	}},
	{"realpath", &optionSpec{
		loose: true, short: "EeLmPqsz",
		long: "canonicalize canonicalize-existing canonicalize-missing logical physical quiet relative-to= relative-base= strip no-symlinks zero help version",
	}},
	{"basename", &optionSpec{loose: true, short: "as:z", long: "multiple suffix= zero help version"}},
	{"dirname", &optionSpec{loose: true, short: "z", long: "zero help version"}},
	{"pathchk", &optionSpec{loose: true, short: "Pp", long: "portability help version"}},
	{"namei", &optionSpec{loose: true, short: "hlmnovxVZ", long: "help version modes owners long nosymlinks vertical mountpoints context"}},
	{"getfacl", &optionSpec{loose: true, short: "acdEehLnPpRstv", long: "access default omit-header all-effective no-effective skip-base recursive logical " +
		"physical tabular numeric absolute-names help version"}},
	{"lsattr", &optionSpec{loose: true, short: "aRdlpVv"}},
	{"mountpoint", &optionSpec{loose: true, short: "dhnqVx", long: "quiet nofollow fs-devno devno help version"}},

	{"zipinfo", &optionSpec{short: "12ChlmsTtvxz", harm: "-M: waits for keys"}},

	{"md5sum", &checksum},
	{"sha1sum", &checksum},
	{"sha224sum", &checksum},
	{"sha256sum", &checksum},
	{"sha384sum", &checksum},
	{"sha512sum", &checksum},
	{"b2sum", &checksum},
	{"cksum", &checksum},
	{"sum", &checksum},
	{"shasum", &optionSpec{loose: true, short: "01a:bchpqstUVvw", long: "algorithm= binary check tag text UNIVERSAL 01 portable ignore-missing quiet status " +
		"strict warn help version"}},
	{"md5", &optionSpec{loose: true, short: "c:pqrs:tx", long: "check quiet"}},

	{"file", &optionSpec{
		short: "0bcde:F:f:hikLlm:NnP:prSsvZz",
		long: "brief checking-printout exclude= exclude-quiet= separator= files-from= mime mime-type mime-encoding apple extension keep-going " +
			"list dereference no-dereference magic-file= no-buffer no-pad print0 preserve-date parameter= raw special-files no-sandbox debug " +
			"uncompress uncompress-noreport help version",
		harm: "-C --compile: writes a compiled magic file",
	}},

	// Options that follow debug links are left out: those may come from a server.
	{"readelf", &optionSpec{
		short: "AacDdeghIilnp:R:rSstuVvWx:z",
		long: "all file-header program-headers segments section-headers sections section-details section-groups headers syms symbols " +
			"dyn-syms notes relocs unwind dynamic version-info arch-specific histogram wide string-dump= hex-dump= relocated-dump= " +
			"decompress lint demangle? help version",
	}},
	{"c++filt", &optionSpec{loose: true, short: "_inptszhvV@", long: "strip-underscore no-strip-underscore no-params no-verbose types no-recurse-limit format= " +
		"help version"}},

	// zcat and its kin always write to the standard output, but some of them know
	// options of the compressor that say otherwise.
	{"zcat", &decompressor},
	{"gzcat", &decompressor},
	{"bzcat", &decompressor},
	{"xzcat", &decompressor},
	{"lzcat", &decompressor},
	{"zstdcat", &decompressor},
}

var lister = optionSpec{
	loose: true, short: "1%,@AaBbCcDdEeFfGgHhI:iklLmNnOoPpQqRrSsT:tUuvWw:XxyZ",
	long: "all almost-all author escape block-size= ignore-backups color? directory dired classify? file-type format= full-time " +
		"group-directories-first no-group human-readable si dereference-command-line dereference-command-line-symlink-to-dir hide= " +
		"hyperlink? indicator-style= inode ignore= kibibytes dereference numeric-uid-gid literal hide-control-chars show-control-chars " +
		"quote-name quoting-style= reverse recursive size sort= time= time-style= tabsize= width= context zero help version",
}

var checksum = optionSpec{
	loose: true, short: "a:bcl:o:qrstwz",
	long: "algorithm= base64 binary check debug length= raw tag text untagged zero ignore-missing quiet status strict sysv warn help version",
}

var decompressor = optionSpec{short: "hqvV", long: "help version quiet verbose"}
