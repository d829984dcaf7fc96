package shell

import "strings"

// x509Options are those that print a certificate, "=" behind those that take an argument. The others
// write files, sign, or load an engine or a provider, which is code.
const x509Options = "in= noout text subject issuer dates startdate enddate serial fingerprint email hash subject_hash issuer_hash ocsp_uri purpose " +
	"pubkey modulus alias inform= nameopt= certopt= dateopt= ext= checkend= checkhost= checkemail= checkip= sha1 sha256 sha384 sha512 md5"

// doubtOpenssl allows printing a certificate. What it reads may also be a URI, of a file that no path
// names.
func doubtOpenssl(words []Word) Doubt {
	if len(words) < 2 || words[1].Text != "x509" {
		return doubtOf(words, 0, "only x509 is known to only read")
	}
	for i := 2; i < len(words); i++ {
		name, option := strings.CutPrefix(words[i].Text, "-")
		takes := longArity(x509Options, name)
		if !option || takes == notListed {
			return doubtOf(words, i, "x509 with "+words[i].Text+" is not known to only read")
		}
		if takes != takesValue {
			continue
		}
		if i++; i < len(words) && (words[i].several() || !words[i].Known() || name == "in" && strings.IndexByte(words[i].Text, ':') >= 0) {
			return doubtOf(words, i, "what -"+name+" is given is only known when it runs, or no file")
		}
	}
	return Doubt{}
}
