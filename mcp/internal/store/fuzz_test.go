package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	strict "github.com/go-json-experiment/json"
)

// page is a file with all that our files are made of.
type page struct {
	N     int               `json:"n"`
	Float float64           `json:"float,omitempty"`
	Texts []string          `json:"texts,omitempty"`
	Pages map[string]*page  `json:"pages,omitempty"`
	List  []page            `json:"list,omitempty"`
	Extra map[string]string `json:"extra,omitempty"`
	Plain bool
}

// What is on the disk is read to the letter, as by a reader of JSON that knows
// no lenience, or it is an error. What was read, written and read again is the
// same.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		`{"n":1}`, `{"n":1,"N":2}`, `{"N":1}`, ``, ` `, `null`, "\x00", `{}`, `[]`, `{"n":1}{}`, `{"n":1,"n":2}`, `{"n":1.5}`, `{"n":1e2}`, `{"n":null}`, `{"n":"1"}`, `{"x":1}`, `{"n":9223372036854775808}`,
		`{"pages":{"a":{"n":1},"A":{"PAGES":{}}}}`, `{"pages":{"a":null,"b":{"list":[{"n":1},{"Texts":[]}]}}}`, `{"Plain":true}`, `{"plain":true}`, `{"list":[{"list":[{"nn":1}]}]}`, `{"list":[null]}`,
		`{"texts":["\ud800"]}`, "{\"texts\":[\"\xff\"]}", `{"extra":{"N":"1","n":"2"}}`, `{"extra":{"N":"1","\u004e":"2"}}`, `{"\u006e":1}`, `{"\u004e":1}`, `{"float":1e400}`, `{"float":-0}`, `{"ſ":1,"K":2}`, `{"pages":[]}`,
		"\ufeff{}", `{"n":01}`, strings.Repeat(`{"list":[`, 40), `{"texts":null,"pages":null}`, "{\"n\":1}\n\n",
	} {
		f.Add([]byte(text))
	}
	h := open(f, f.TempDir())
	f.Fuzz(func(t *testing.T, data []byte) {
		put := func(data []byte) {
			if err := os.WriteFile(h.Path("x.json"), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		put(data)
		var v, want, again page
		stamp, err := h.Read("x.json", &v)
		if corrupt := (*CorruptError)(nil); err != nil && !errors.As(err, &corrupt) || (err == nil) == (stamp == Stamp{}) {
			t.Fatalf("Read: %v, %+v", err, stamp)
		}
		deep := bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > 60 // lex goes less deep
		refused := strict.Unmarshal(data, &want, strict.RejectUnknownMembers(true))
		switch {
		case string(bytes.TrimSpace(data)) == "null" && err != nil: // a value for strict, and none for us
			return
		case (err == nil) != (refused == nil) && !deep, err == nil && refused != nil:
			t.Fatalf("%q: error is %v, of a strict reader %v", data, err, refused)
		case err != nil:
			return
		}
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if wanted, err := json.Marshal(want); err != nil || !bytes.Equal(text, wanted) {
			t.Fatalf("%q is read as %s, by a strict reader as %s (%v)", data, text, wanted, err)
		}
		put(text)
		if _, err := h.Read("x.json", &again); err != nil {
			t.Fatalf("%s, which we wrote, can't be read: %v", text, err)
		}
		if second, err := json.Marshal(again); err != nil || !reflect.DeepEqual(second, text) {
			t.Errorf("%s is %s when it is read again (%v)", text, second, err)
		}
	})
}
