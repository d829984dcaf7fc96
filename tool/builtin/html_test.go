package builtin

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"
)

func TestHTML_ToText(t *testing.T) {
	base, err := url.Parse("https://example.com/docs/page")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, page, want string }{
		{"nothing", "", ""},
		{"text", "just  text\nhere", "just text here"},
		{"title", "<html><head><title>A &amp; B</title></head><body><p>x</p></body></html>", "Title: A & B\n\nx"},
		{"headings", "<h1>One</h1><p>a</p><H2 class=x>Two</H2>b", "# One\n\na\n\n## Two\n\nb"},
		{"paragraphs", "<p>a<p>b<p>c", "a\n\nb\n\nc"},
		{"lines", "a<br>b<br/>c", "a\nb\nc"},
		{"inline", "a <b>bold</b><i>x</i> <span> y </span>z", "a boldx y z"},
		{"à keeps its place", "<b>voilà</b>!", "voilà!"},
		{"link", `see <a href="/x?a=1&amp;b=2">here</a>.`, "see [here](https://example.com/x?a=1&b=2)."},
		{"relative link", `<a href='next'>n</a>`, "[n](https://example.com/docs/next)"},
		{"links that lead nowhere", `<a href="#top">t</a> <a href="javascript:alert(1)">j</a> <a>n</a> <a href="data:text/html,x">d</a>`, "t j n d"},
		{"a link without text", `a<a href="/x"></a>b<a href="/y"> </a>c`, "ab c"},
		{"a link without end", `<a href="/x">one <a href="/y">two`, "[one](https://example.com/x) [two](https://example.com/y)"},
		{"image", `<img src=x alt="a  cat"><img src=y>`, "[image: a cat]"},
		{"list", "<ul><li>a<li>b<ul><li>c</ul></ul>d", "- a\n- b\n  - c\n\nd"},
		{"numbers", "<ol><li>a</li><li><p>b</p></li></ol>", "1. a\n2. b"},
		{"an item without a list", "<li>a", "- a"},
		{"code", "run <code>go test</code>, <kbd>Ctrl</kbd>", "run `go test`, `Ctrl`"},
		{"pre", "x<pre>\n  a <b>b</b>\n\n  c &lt;\n</pre>y", "x\n\n```\n\n  a b\n\n  c <\n```\n\ny"},
		{"code in pre", "<pre><code>a\n b</code></pre>", "```\na\n b\n```"},
		{"table", "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><p>2</p></td></tr></table>", "| a | b |\n| 1 | 2 |"},
		{"quote", "<blockquote><p>a</p><p>b</p></blockquote>c", "> a\n\n> b\n\nc"},
		{"scripts", "a<script>if (1 < 2) alert('</p>')</script><STYLE>p{}</style>b", "ab"},
		{"a script without end", "a<script>b", "a"},
		{"other things that are not read", "a<template><p>x</p></template><svg><svg></svg><text>t</text></svg><noscript>n</noscript>b", "ab"},
		{"comments", "a<!-- <p>x</p> -->b<!doctype html>c<?php x ?>d", "abcd"},
		{"a comment without end", "a<!-- b", "a"},
		{"no tags", "1 < 2 & 3 > 2 <3 </ x", "1 < 2 & 3 > 2 <3 </ x"},
		{"a tag without end", `a<a href="`, "a"},
		{"entities", "&eacute;&#233;&#xe9;&nbsp;&zzz;&copy", "ééé &zzz;©"},
		{"attributes", `<p data-x='>' hidden a=b/>x</p>`, "x"},
		{"a tag in a quoted attribute", `<img alt="<script>">x`, "[image: <script>]x"},
		{"definitions", "<dl><dt>a<dd>b</dl>", "a\nb"},
		{"rule", "a<hr>b", "a\n\n---\n\nb"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := htmlToText(test.page, base, 10_000); got != test.want {
				t.Errorf("%q:\n got %q\nwant %q", test.page, got, test.want)
			}
		})
	}
}

// No page takes long or much, whatever is open in it.
func TestHTML_Hostile(t *testing.T) {
	base := &url.URL{Scheme: "https", Host: "example.com"}
	const n = 50_000
	for _, piece := range []string{"<div>", "<ul><li>", "<blockquote>x", "<a href=x>", "<pre>", "<!-", "<!--", "</", "<", "<a b=\"", "<svg>", "<title>", "&", "<table><tr><td>", "<script></s"} {
		if got := htmlToText(strings.Repeat(piece, n), base, 100_000); len(got) > 100_000 {
			t.Errorf("%q: %d bytes", piece, len(got))
		}
	}
	htmlToText("<svg>"+strings.Repeat("</", 2_000_000), base, 100_000) // who looked for an end each time would take minutes
}

func FuzzHTML(f *testing.F) {
	for _, example := range []string{
		"<h1>a</h1><p>b <a href=/x>c</a><pre>d\n</pre>", "<ul><li>a<ol><li>b", "<table><tr><td>a<td>b", "<script>x</script>&amp;&#0;", "<a href='x", "<!-- x --><title>t</title>", "<p/ a = 'b' c>x",
	} {
		f.Add(example)
	}
	base := &url.URL{Scheme: "https", Host: "example.com"}
	f.Fuzz(func(t *testing.T, page string) {
		if !utf8.ValidString(page) {
			return
		}
		got := htmlToText(page, base, 10_000)
		if !utf8.ValidString(got) {
			t.Fatalf("broken text %q", got)
		}
		if strings.Contains(strings.ToLower(got), "javascript:") && !strings.Contains(strings.ToLower(html.UnescapeString(page)), "javascript:") {
			t.Fatalf("a script came from nowhere: %q", got)
		}
	})
}

// The names of tags are those that the library for HTML finds, in the same order.
func FuzzHTMLTags(f *testing.F) {
	for _, example := range []string{"<p>a</p>", "<a href=\"x>y\">z</a><br/>", "<!-- <p> --><b>", "<script><p></script><i>", "<p a=b/c d='e' f>x", "</p x='>'>y", "<title><b></title>", "<P/>", "z</\xc6\xc6<b>z</\xc6<b", "a</>b<i>"} {
		f.Add(example)
	}
	f.Fuzz(func(t *testing.T, page string) {
		if strings.ContainsAny(page, "\x00") || strings.Contains(page, "<!") || strings.Contains(page, "<?") || strings.Contains(page, "</") && strings.Contains(page, "script") {
			return // comments and scripts have odd corners where both are right
		}
		var ours, theirs []string
		for s := (htmlSource{rest: page}); ; {
			token, ok := s.next()
			if !ok {
				break
			}
			if token.kind != htmlText {
				ours = append(ours, token.name)
			}
		}
		z := html.NewTokenizer(strings.NewReader(page))
		for {
			kind := z.Next()
			if kind == html.ErrorToken {
				break
			}
			if kind == html.StartTagToken || kind == html.EndTagToken || kind == html.SelfClosingTagToken {
				name, _ := z.TagName()
				theirs = append(theirs, strings.ToLower(string(name)))
			}
		}
		// A tag that the page breaks off in is dropped by the library.
		if len(ours) == len(theirs)+1 {
			ours = ours[:len(theirs)]
		}
		if strings.Join(ours, " ") != strings.Join(theirs, " ") {
			t.Fatalf("%q: %q, the library says %q", page, ours, theirs)
		}
	})
}
