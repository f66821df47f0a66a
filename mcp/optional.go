package mcp

// Optional is a value that may be absent, which is not the same as null or zero.
type Optional[T any] struct {
	value   T
	present bool
}

// Some returns an Optional that holds v.
func Some[T any](v T) Optional[T] { return Optional[T]{v, true} }

// Get returns the value and whether there is one.
func (o Optional[T]) Get() (T, bool) { return o.value, o.present }

// Or returns the value, or fallback if there is none.
func (o Optional[T]) Or(fallback T) T {
	if o.present {
		return o.value
	}
	return fallback
}

// Nullable is a value that may be null, which is not the same as absent or zero.
type Nullable[T any] struct {
	value T
	valid bool
}

// NotNull returns a Nullable that holds v; the zero Nullable is null.
func NotNull[T any](v T) Nullable[T] { return Nullable[T]{v, true} }

// Get returns the value and whether there is one.
func (n Nullable[T]) Get() (T, bool) { return n.value, n.valid }

// JSON is any JSON value, as its source text.
type JSON []byte
