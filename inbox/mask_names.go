package inbox

import (
	"slices"
	"strings"
	"unicode"
)

// A name may only look like that of a secret: the word for one is a part of another word, as in
// tokenizer, or the name says how much of something there is.

// counts: the name says how much of something there is, and the value is a number.
func counts(name, value string) bool {
	return slices.ContainsFunc(wordsOf(name), isMeasure) && isCount(value)
}

// withoutOtherWords is a name without the words that only begin like one for a secret. What is
// left may still be the name of one.
func withoutOtherWords(name string) string {
	words := wordsOf(name)
	if !slices.ContainsFunc(words, isOtherWord) {
		return name
	}
	return strings.Join(slices.DeleteFunc(words, isOtherWord), "_")
}

// wordsOf are the words of a name, in small letters: max_tokens and maxTokens have the same.
func wordsOf(name string) []string {
	var spaced strings.Builder
	small := false
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case unicode.IsUpper(r) && small:
			spaced.WriteByte(' ')
		}
		small = unicode.IsLower(r)
		spaced.WriteRune(unicode.ToLower(r))
	}
	return strings.Fields(spaced.String())
}

// isMeasure: the word says that a name is that of a number of things.
func isMeasure(word string) bool {
	switch word {
	case "max", "min", "count", "limit", "total", "budget", "length", "size":
		return true
	}
	return false
}

// isOtherWord: the word begins like one for a secret, and means something else.
func isOtherWord(word string) bool {
	switch word {
	case "tokenizer", "tokenizers", "tokenize", "tokenized", "tokenization", "secretary", "secretaries", "secretariat":
		return true
	}
	return false
}

// isCount: the value is a number as things are counted, and not one that somebody made up to
// be long.
func isCount(value string) bool {
	const longest = 9
	return value != "" && len(value) <= longest && strings.Trim(value, "0123456789") == ""
}
