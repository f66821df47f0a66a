package mcp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// Error is a failure that a handler reports to the model: the answer is an
// isError result with the text "[CODE] message".
type Error struct {
	Code    string // shouts: NOT_FOUND
	Message string // what went wrong, and what to do
	Err     error  // the cause, if one is to be found by errors.Is
}

// Error returns "[CODE] message".
func (e *Error) Error() string { return "[" + e.Code + "] " + e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf returns an *Error with a code and a formatted message; %w wraps as in fmt.Errorf.
func Errorf(code, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), Err: errors.Unwrap(err)}
}

// asError gives any handler's error a code: its own, or that of its kind.
func asError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	code := "FAILED"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		code = "NOT_FOUND"
	case errors.Is(err, fs.ErrExist):
		code = "ALREADY_EXISTS"
	case errors.Is(err, fs.ErrPermission):
		code = "PERMISSION_DENIED"
	case errors.Is(err, context.DeadlineExceeded):
		code = "TIMEOUT"
	case errors.Is(err, context.Canceled):
		code = "CANCELLED"
	}
	return &Error{Code: code, Message: err.Error(), Err: err}
}
