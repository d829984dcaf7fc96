package ansi

import "testing"

func TestText(t *testing.T) {
	for _, test := range []struct {
		painter    Painter
		style      Style
		text, want string
	}{
		{true, Red, "no", "\x1b[31mno\x1b[0m"},
		{true, Plain, "no", "no"},
		{true, Red, "", ""},
		{false, Red, "no", "no"},
	} {
		if got := test.painter.Text(test.style, test.text); got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
}
