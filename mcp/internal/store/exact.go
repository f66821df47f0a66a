package store

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// exact fails at a key that names a field only if case is ignored. encoding/json
// takes it for the field, so that "Grants" would replace the "grants" before it.
// Data is valid JSON; what does not fit the type is left to encoding/json.
func exact(data []byte, t reflect.Type) error {
	switch t.Kind() {
	case reflect.Pointer:
		return exact(data, t.Elem())
	case reflect.Slice, reflect.Array:
		var items []json.RawMessage
		if json.Unmarshal(data, &items) != nil {
			return nil
		}
		for _, item := range items {
			if err := exact(item, t.Elem()); err != nil {
				return err
			}
		}
	case reflect.Map, reflect.Struct:
		var members map[string]json.RawMessage
		if json.Unmarshal(data, &members) != nil {
			return nil
		}
		for key, value := range members {
			of, err := member(t, key)
			if err == nil && of != nil {
				err = exact(value, of)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// member returns the type of what an object has at a key, nil if it has no such.
func member(t reflect.Type, key string) (reflect.Type, error) {
	if t.Kind() == reflect.Map {
		return t.Elem(), nil
	}
	var folded string
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		switch {
		case !f.IsExported() || f.Anonymous:
		case name == key:
			return f.Type, nil
		case strings.EqualFold(name, key):
			folded = name
		}
	}
	if folded != "" {
		return nil, fmt.Errorf("unknown key %q; write %q", key, folded)
	}
	return nil, nil
}
