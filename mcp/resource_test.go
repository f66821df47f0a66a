package mcp

import (
	"context"
	"io"
	"strings"
	"testing"
)

type withResources struct{ bodies }

func (withResources) ListResources(context.Context, string) ([]Resource, string, error) {
	return nil, "", nil
}
func (withResources) ReadResource(context.Context, string) ([]ResourceContents, error) {
	return nil, nil
}

// Handlers and specs have to agree on whether there are resources.
func TestResourcesUndeclared(t *testing.T) {
	undeclared := Server[withResources]{Info: Info{Name: "t"}}
	o := Options{In: strings.NewReader(""), Out: io.Discard}
	if err := Serve(t.Context(), &undeclared, withResources{}, o); err == nil || !strings.Contains(err.Error(), "add resources: {} to specs/server.yaml") {
		t.Errorf("undeclared resources: %v", err)
	}
	missing := Server[bodies]{Info: Info{Name: "t", Resources: true}}
	if err := Serve(t.Context(), &missing, bodies{}, o); err == nil {
		t.Error("declared resources without handlers are served")
	}
}
