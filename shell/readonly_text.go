package shell

// textReaders print what they read: filters and converters.
var textReaders = optionTable{
	{"cat", &optionSpec{
		loose: true, short: "AbeElnstTuv",
		long: "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting help version",
	}},
	{"tac", &optionSpec{loose: true, short: "brs:", long: "before regex separator= help version"}},
	{"nl", &optionSpec{
		loose: true, short: "b:d:f:h:i:l:n:ps:v:w:",
		long: "body-numbering= section-delimiter= footer-numbering= header-numbering= line-increment= join-blank-lines= " +
			"number-format= no-renumber number-separator= starting-line-number= number-width= help version",
	}},
	{"head", &optionSpec{
		loose: true, short: "0123456789c:n:qvz",
		long: "bytes= lines= quiet silent verbose zero-terminated help version",
	}},
	{"tail", &optionSpec{
		loose: true, short: "0123456789b:c:Ffn:qrs:vz",
		long: "bytes= follow? lines= max-unchanged-stats= pid= quiet silent retry sleep-interval= verbose zero-terminated debug help version",
	}},
	{"wc", &optionSpec{
		loose: true, short: "clLmw",
		long: "bytes chars lines words max-line-length files0-from= total= debug help version",
	}},
	{"cut", &optionSpec{
		loose: true, short: "b:c:d:f:nO:sF:wz",
		long: "bytes= characters= delimiter= fields= complement only-delimited output-delimiter= whitespace-delimited? zero-terminated help version",
	}},
	{"paste", &optionSpec{loose: true, short: "d:sz", long: "delimiters= serial zero-terminated help version"}},
	{"tr", &optionSpec{loose: true, posix: true, short: "cCdstu", long: "complement delete squeeze-repeats truncate-set1 help version"}},
	{"fold", &optionSpec{loose: true, short: "0123456789bcsw:", long: "bytes characters spaces width= help version"}},
	{"fmt", &optionSpec{loose: true, short: "0123456789cd:g:l:mnp:stuw:", long: "crown-margin prefix= split-only tagged-paragraphs uniform-spacing width= " +
		"goal= help version"}},
	{"pr", &optionSpec{loose: true, short: "0123456789abcdD:e::Ffh:i::Jl:mn::N:o:prs::S::tTvw:W:", long: "across columns= show-control-chars double-space " +
		"date-format= expand-tabs? form-feed header= output-tabs? join-lines length= merge number-lines? first-line-number= indent= no-file-warnings " +
		"separator? sep-string? omit-header omit-pagination show-nonprinting width= page-width= pages= help version"}},
	{"expand", &optionSpec{loose: true, short: "0123456789,it:", long: "initial tabs= help version"}},
	{"unexpand", &optionSpec{loose: true, short: "0123456789,aft:", long: "all first-only tabs= help version"}},
	{"comm", &optionSpec{loose: true, short: "123iz", long: "check-order nocheck-order output-delimiter= total zero-terminated help version"}},
	{"join", &optionSpec{loose: true, short: "1:2:a:e:ij:o:t:v:z", long: "ignore-case check-order nocheck-order header zero-terminated help version"}},
	{"rev", &optionSpec{loose: true, short: "0hV", long: "zero help version"}},
	{"tsort", &optionSpec{loose: true, short: "dlqw", long: "help version"}},
	{"factor", &optionSpec{loose: true, short: "h", long: "exponents help version"}},
	{"numfmt", &optionSpec{
		loose: true, short: "d:z",
		long: "debug delimiter= field= format= from= from-unit= grouping header? invalid= padding= round= suffix= to= to-unit= unit-separator= " +
			"zero-terminated help version",
	}},
	{"bc", &optionSpec{loose: true, short: "cE:e:f:ghiIlLmO:PqrRS:svVwxXz", long: "help interactive mathlib warn standard quiet version expression= file= scale="}},
	{"look", &optionSpec{loose: true, short: "abdft:hV", long: "alternative alphanum ignore-case terminate= help version"}},
	{"colrm", &optionSpec{loose: true, short: "hV", long: "help version"}},
	{"column", &optionSpec{loose: true, short: "C:c:dE:eH:hi:JLl:mN:nO:o:p:R:r:S:s:T:tVW:x", long: "columns= fillrows json keep-empty-lines output-separator= " +
		"output-width= separator= table table-column= table-columns= table-columns-limit= table-empty-lines table-header-as-columns " +
		"table-header-repeat table-hide= table-maxout table-name= table-noextreme= table-noheadings table-order= table-right= table-truncate= " +
		"table-wrap= tree= tree-id= tree-parent= color? use-spaces= help version"}},

	{"od", &optionSpec{
		loose: true, short: "A:aBbcDdeFfHhIij:LlN:OoS:st:vw::Xx",
		long: "address-radix= endian= skip-bytes= read-bytes= strings? format= output-duplicates width? traditional help version",
	}},
	{"hexdump", &hexdump},
	{"hd", &hexdump},
	{"strings", &optionSpec{
		loose: true, short: "0123456789ade:fhn:oS:s:T:t:U:VvwX",
		long: "all data print-file-name bytes= radix= encoding= include-all-whitespace target= output-separator= unicode= help version",
	}},
	{"base64", &encoder},
	{"base32", &encoder},
	{"basenc", &encoder},
	{"iconv", &optionSpec{
		short: "cf:lst:", long: "from-code= to-code= list silent byte-subst= unicode-subst= widechar-subst= help version",
		harm: "-o --output: writes a file",
	}},

	{"sort", &optionSpec{
		short: "bCcdfghik:MmnRrS:st:uVz",
		long: "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort " +
			"human-numeric-sort numeric-sort random-sort random-source= reverse sort= version-sort batch-size= check? debug " +
			"files0-from= key= merge stable buffer-size= field-separator= parallel= unique zero-terminated " +
			"mmap qsort mergesort heapsort radixsort help version",
		harm: "-o --output: writes a file; --compress-program: runs a program; -T --temporary-directory: writes into that directory",
	}},
	{"shuf", &optionSpec{
		short: "ei:n:rz", long: "echo input-range= head-count= random-source= repeat zero-terminated help version",
		harm: "-o --output: writes a file",
	}},
	// The second operand of uniq is an output file; on BSD even if it is "-c".
	{"uniq", &optionSpec{
		posix: true, most: 1, short: "0123456789cDdf:is:uw:z",
		long: "count repeated all-repeated? skip-fields= group? ignore-case skip-chars= unique zero-terminated check-chars= help version",
	}},

	{"diff", &optionSpec{
		loose: true, short: "0123456789aBbC:cD:dEeF:fHhI:ilL:NnPpqrS:sTtU:uvW:wX:x:yZ",
		long: "normal brief report-identical-files context? unified? ed forward-ed rcs side-by-side width= left-column suppress-common-lines " +
			"show-c-function show-function-line= label= expand-tabs initial-tab tabsize= suppress-blank-empty paginate recursive " +
			"no-dereference new-file unidirectional-new-file ignore-file-name-case no-ignore-file-name-case exclude= exclude-from= " +
			"starting-file= from-file= to-file= ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change " +
			"ignore-all-space ignore-blank-lines ignore-matching-lines= text strip-trailing-cr ifdef= line-format= old-line-format= " +
			"new-line-format= unchanged-line-format= old-group-format= new-group-format= unchanged-group-format= changed-group-format= " +
			"minimal horizon-lines= speed-large-files color? palette= help version",
	}},
	{"cmp", &optionSpec{loose: true, short: "bchi:ln:svxz", long: "print-bytes ignore-initial= verbose bytes= quiet silent help version"}},
}

var hexdump = optionSpec{
	loose: true, short: "bCcde:f:hL::n:os:VvXx",
	long: "one-byte-octal one-byte-hex one-byte-char canonical two-bytes-decimal two-bytes-octal two-bytes-hex color? " +
		"format= format-file= length= skip= no-squeezing help version",
}

// encoder: on macOS base64 has -o. There -i takes a file and elsewhere nothing,
// which makes no difference as both are read.
var encoder = optionSpec{
	short: "b:Ddhiw:",
	long:  "decode ignore-garbage wrap= break= input= base64 base64url base58 base32 base32hex base16 base2msbf base2lsbf z85 help version",
	harm:  "-o --output: writes a file",
}
