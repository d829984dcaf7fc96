package inbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assent-dev/assent/internal/strictjson"
)

const (
	// maxBody is how large the body of a request may be.
	maxBody = 1 << 20
	// maxUnknown is the same for a request without a sign-in: a name and a password, or what is to
	// be proved.
	maxUnknown = 16 << 10
)

// read reads the body of a request: JSON, one spelling of it, and no key that is not known.
func read(r *http.Request, into any) error {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if charset, given := params["charset"]; err != nil || kind != "application/json" || given && !strings.EqualFold(charset, "utf-8") ||
		len(r.Header.Values("Content-Type")) != 1 || r.Header.Get("Content-Encoding") != "" {
		return &Fault{Status: http.StatusUnsupportedMediaType, Code: Invalid, Message: "the body must be JSON, with the header Content-Type: application/json"}
	}
	most := int64(maxBody)
	if open(r.URL.Path) {
		most = maxUnknown
	}
	data, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, most))
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return &Fault{Status: http.StatusRequestEntityTooLarge, Code: Invalid, Message: fmt.Sprintf("the body is larger than %d KiB", most>>10)}
	}
	if f, refused := errors.AsType[*Fault](err); refused { // see attended
		return f
	}
	if err != nil {
		return &Fault{Status: http.StatusBadRequest, Code: Invalid, Message: "the body cannot be read to its end", Err: err}
	}
	if err := strictjson.UnmarshalKnown(data, into); err != nil {
		return invalid("the body cannot be used: %v", err)
	}
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) { // null, which leaves everything as it is
		return invalid("the body cannot be used: it is no object (send {} where there is nothing to say)")
	}
	return nil
}

// values are the parameters of a request, each at most once, and none that is not known.
func values(r *http.Request, known ...string) (map[string]string, error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, invalid("the parameters cannot be read: %v", err)
	}
	all := map[string]string{}
	for _, name := range known {
		switch given := query[name]; len(given) {
		case 0:
		case 1:
			all[name] = given[0]
		default:
			return nil, invalid("%s is given more than once", name)
		}
		delete(query, name)
	}
	if len(query) > 0 {
		return nil, invalid("there is a parameter that is not known (there are: %s)", strings.Join(known, ", "))
	}
	for name, value := range all {
		if !utf8.ValidString(value) {
			return nil, invalid("%s is not valid UTF-8", name)
		}
	}
	return all, nil
}

// limit is how many rows are wanted.
func limit(values map[string]string) (int, error) {
	const usual, most = 50, 200
	text, given := values["limit"]
	if !given {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, invalid("limit: want a number from 1 to %d", most)
	}
	return n, nil
}

// reply sends a body.
func (s *Server) reply(w http.ResponseWriter, r *http.Request, status int, body any) {
	text, err := strictjson.Marshal(body)
	if err != nil {
		s.Log.Error("an answer cannot be written", "route", r.Pattern, "err", mask(err.Error()))
		text, status = []byte(`{"error":{"code":"internal","message":"the answer cannot be written as JSON"}}`), http.StatusInternalServerError
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)+1))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(append(text, '\n')) // whoever has gone does not need it
	}
}

// fail sends a fault. The log is told where something does not work, not what was asked.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, f *Fault) {
	if f.Status >= http.StatusInternalServerError && r.Context().Err() == nil {
		s.Log.Error("a request failed", append([]any{"route", r.Pattern, "code", string(f.Code), "err", mask(f.Message)}, f.cause()...)...)
	}
	if f.Status == http.StatusMethodNotAllowed && w.Header().Get("Allow") == "" {
		w.Header().Set("Allow", "GET, POST")
	}
	if f.Wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int((f.Wait+time.Second-1)/time.Second)))
	}
	s.reply(w, r, f.Status, f.body())
}
