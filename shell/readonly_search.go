package shell

// searchers look for text or files. grep can be given any argument; the others
// know options that run programs.
var searchers = optionTable{
	{"grep", &grep},
	{"egrep", &grep},
	{"fgrep", &grep},
	{"ggrep", &grep},

	{"rg", &optionSpec{
		exact: true, short: ".0A:aB:bC:cd:E:e:Ff:g:HhIij:LlM:m:NnoPpqr:SsT:t:UuVvwx",
		long: "type= glob= files files-with-matches hidden no-heading line-number after-context= auto-hybrid-regex before-context= binary " +
			"block-buffered byte-offset case-sensitive color= colors= column " +
			"context= context-separator= count count-matches crlf debug dfa-size-limit= encoding= engine= field-context-separator= " +
			"field-match-separator= file= files-without-match fixed-strings follow generate= " +
			"glob-case-insensitive heading help hyperlink-format= iglob= ignore ignore-case ignore-dot ignore-exclude ignore-file= " +
			"ignore-file-case-insensitive ignore-files ignore-global ignore-messages ignore-parent ignore-vcs include-zero invert-match " +
			"json line-buffered line-regexp max-columns= max-columns-preview max-count= max-depth= maxdepth= max-filesize= " +
			"messages mmap multiline multiline-dotall null null-data one-file-system only-matching passthru passthrough path-separator= " +
			"pcre2 pcre2-unicode pcre2-version pre-glob= pretty quiet regex-size-limit= regexp= replace= require-git smart-case sort= sort-files " +
			"sortr= stats stop-on-nonmatch text threads= trace trim type-add= type-clear= type-list type-not= unicode unrestricted " +
			"version vimgrep with-filename word-regexp " +
			"no-auto-hybrid-regex no-binary no-block-buffered no-byte-offset no-column no-config no-context-separator no-count no-crlf " +
			"no-encoding no-filename no-fixed-strings no-follow no-glob-case-insensitive no-hidden no-ignore no-ignore-dot " +
			"no-ignore-exclude no-ignore-file-case-insensitive no-ignore-files no-ignore-global no-ignore-messages no-ignore-parent " +
			"no-ignore-vcs no-include-zero no-invert-match no-json no-line-buffered no-line-number no-max-columns-preview no-messages no-mmap " +
			"no-multiline no-multiline-dotall no-one-file-system no-pcre2 no-pcre2-unicode no-pre no-require-git no-search-zip no-sort-files " +
			"no-stats no-text no-trim no-unicode",
		harm: "--pre --hostname-bin: runs a program; -z --search-zip: starts other programs to unpack files",
	}},

	{"fd", &fd},
	{"fdfind", &fd},

	{"ag", &optionSpec{
		short: "0A:aB:C:cDFfG:g:HhiLlm:noOp:QRrSstUuVvW:wz",
		long: "ackmate affinity noaffinity after= all-text all-types before= break nobreak case-sensitive color nocolor color-line-number= " +
			"color-match= color-path= column context= count debug depth= filename nofilename filename-pattern= files-with-matches " +
			"files-without-matches fixed-strings follow nofollow group nogroup heading noheading hidden ignore= ignore-case ignore-dir= " +
			"invert-match line-numbers list-file-types literal max-count= mmap nommap multiline nomultiline numbers nonumbers no-pager nopager " +
			"norecurse null one-device only-matching parallel passthrough passthru path-to-ignore= print-all-files print-long-lines " +
			"recurse search-binary search-files search-zip silent skip-vcs-ignores smart-case stats stats-only unrestricted version vimgrep " +
			"width= word-regexp workers= help",
		harm: "--pager: runs a program",
	}},
}

var grep = optionSpec{
	loose: true, short: "0123456789A:aB:bC:cD:d:Ee:Ff:GHhIiLlm:nOoPpqRrSsTUuVvwxyZz",
	long: "extended-regexp fixed-strings basic-regexp perl-regexp regexp= file= ignore-case no-ignore-case word-regexp line-regexp " +
		"null-data no-messages invert-match version help max-count= byte-offset line-number line-buffered with-filename no-filename label= " +
		"only-matching quiet silent binary-files= text directories= devices= recursive dereference-recursive include= exclude= exclude-from= " +
		"exclude-dir= include-dir= files-without-match files-with-matches count initial-tab null before-context= after-context= context= " +
		"group-separator= no-group-separator color? colour? binary",
}

var fd = optionSpec{
	exact: true, short: "01ac:d:E:e:FgHhIij:LlO:o:pqS:st:uV",
	long: "hidden no-hidden no-ignore ignore no-ignore-vcs ignore-vcs no-ignore-parent ignore-parent no-global-ignore-file " +
		"no-require-git require-git unrestricted case-sensitive ignore-case glob regex fixed-strings literal and= absolute-path relative-path " +
		"list-details follow no-follow full-path print0 max-depth= maxdepth= min-depth= exact-depth= exclude= prune type= extension= size= " +
		"changed-within= change-newer-than= newer= changed-after= changed-before= change-older-than= older= owner= format= batch-size= " +
		"ignore-file= color= hyperlink? ignore-contain= threads= max-buffer-time= max-results= max-one-result quiet show-errors base-directory= " +
		"path-separator= search-path= strip-cwd-prefix? one-file-system mount xdev gen-completions? help version",
	harm: "-x --exec -X --exec-batch: runs a program",
}
