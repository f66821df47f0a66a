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
