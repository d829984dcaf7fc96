package manpage

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

func TestPage(t *testing.T) {
	root := &cobra.Command{Use: "tool", Short: "The tool"}
	var words []string
	child := &cobra.Command{
		Use: "cut [FILE]", Short: "Cut it", Run: func(*cobra.Command, []string) {},
		Long: "Cut a file.\n.it is\n\n  tool cut 'a\\b'\n\n  tool cut -n 3\n\nThat is all.",
	}
	child.Flags().StringArrayVarP(&words, "word", "w", nil, "a word")
	child.Flags().String("into", "out", "where to, a `FILE`")
	child.Flags().Bool("secret", false, "not for everybody")
	if err := child.Flags().MarkHidden("secret"); err != nil {
		t.Fatal(err)
	}
	root.AddCommand(child)
	got := For(child).Roff(Edition{Version: "v1.2.3", Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)})
	want := `.TH TOOL\-CUT 1 "2026\-01\-02" "assent v1.2.3" assent
.nh
.ad l
.SH NAME
tool\-cut \- Cut it
.SH SYNOPSIS
.B tool cut [FILE] [flags]
.br
.SH DESCRIPTION
Cut a file.
\&.it is
.PP
.nf
  tool cut \(aqa\eb\(aq

  tool cut \-n 3

.fi
That is all.
.SH OPTIONS
.TP
\fB\-\-into\fR \fIFILE\fR
where to, a FILE (default out)
.TP
\fB\-w, \-\-word\fR \fILIST\fR
a word
.SH SEE ALSO
\fBtool\fR(1)
`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if page := For(root).Roff(Edition{}); !strings.Contains(page, ".SH COMMANDS\n.TP\n.B tool cut\nCut it\n") || !strings.Contains(page, "The tool.\n") {
		t.Errorf("the page of the parent:\n%s", page)
	}
}
