package shell

// The options of git log, git diff and the subcommands built on them. Almost all
// are harmless; gitHarm lists the others.

const gitDiffLong = "stat? name-only name-status numstat shortstat patch no-patch unified? function-context " +
	"patch-with-raw raw patch-with-stat stat-width= stat-name-width= stat-count= stat-graph-width= compact-summary no-compact-summary " +
	"dirstat? cumulative dirstat-by-file? summary submodule? color? no-color color-moved? no-color-moved color-moved-ws= no-color-moved-ws " +
	"word-diff? word-diff-regex= color-words? no-renames rename-empty no-rename-empty check ws-error-highlight= full-index no-full-index " +
	"binary abbrev? no-abbrev break-rewrites? find-renames? find-copies? find-copies-harder irreversible-delete diff-filter= pickaxe-all " +
	"pickaxe-regex find-object= skip-to= rotate-to= relative? no-relative text no-text ignore-cr-at-eol ignore-space-at-eol " +
	"ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= inter-hunk-context= exit-code quiet no-ext-diff " +
	"no-textconv ignore-submodules? src-prefix= dst-prefix= no-prefix default-prefix line-prefix= ita-invisible-in-index " +
	"ita-visible-in-index minimal no-minimal patience histogram diff-algorithm= anchored= indent-heuristic no-indent-heuristic " +
	"output-indicator-new= output-indicator-old= output-indicator-context="

const gitRevisionLong = "oneline all format? graph pretty? max-count= skip= since= since-as-filter= after= until= before= max-age= min-age= author= " +
	"grep-reflog= grep= " +
	"all-match invert-grep regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp remove-empty merges no-merges " +
	"min-parents? max-parents? no-min-parents no-max-parents first-parent exclude-first-parent-only not branches? tags? remotes? glob= " +
	"exclude= exclude-hidden? reflog alternate-refs single-worktree ignore-missing bisect cherry-mark cherry-pick left-only right-only cherry " +
	"walk-reflogs merge boundary simplify-by-decoration show-pulls full-history dense sparse simplify-merges ancestry-path? date-order " +
	"author-date-order topo-order reverse no-walk? do-walk expand-tabs? no-expand-tabs notes? no-notes show-notes? " +
	"standard-notes no-standard-notes relative-date date= parents children left-right no-graph show-linear-break? decorate? " +
	"no-decorate clear-decorations source use-mailmap no-use-mailmap mailmap no-mailmap full-diff log-size " +
	"abbrev-commit no-abbrev-commit combined-all-paths diff-merges= no-diff-merges cc dd count follow no-follow end-of-options"

const (
	gitRevListLong = gitRevisionLong + " committer= " + gitDiffLong
	gitDiffShort   = "0123456789aB::bC::cD::EFG:gI:il:M::mn:O:PpqRrS:stU::uvWwX::z"
)

var gitLog = optionSpec{
	short: gitDiffShort + "L:",
	long:  gitRevListLong + " decorate-refs= no-decorate-refs decorate-refs-exclude= no-decorate-refs-exclude", harm: gitHarm,
}

var gitBlame = optionSpec{
	short: "bC::cefhL:lM::npS:stw",
	long: "incremental root show-stats progress no-progress score-debug show-name show-number porcelain line-porcelain show-email ignore-rev= " +
		"ignore-revs-file= no-ignore-revs-file color-lines no-color-lines color-by-age minimal contents= abbrev? no-abbrev since= until= date= " +
		"first-parent reverse",
	harm: gitHarm,
}
