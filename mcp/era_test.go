package mcp

import (
	"context"
	"errors"
	"testing"
)

// What a handler puts into _meta is its own to say.
func TestSetMeta(t *testing.T) {
	c := &Call{tool: &tool{spec: &Spec{}}, peer: &peer{}}
	ctx := c.Context()
	for _, key := range []string{
		"cost", "/cost", "com.example/", "com example/cost", "com.example/a\nb",
		"io.modelcontextprotocol/serverInfo", "com.mcp.tools/x", "dev.mcp/x", "dev.teaagent/error",
	} {
		if err := SetMeta(ctx, key, JSON("1")); err == nil {
			t.Errorf("the key %q is taken", key)
		}
	}
	if err := SetMeta(ctx, "com.example/cost", JSON("{")); err == nil {
		t.Error("what is no JSON is taken")
	}
	for _, value := range []string{"1", "{\r\n\"a\": 2}\n"} { // a frame is one line
		if err := SetMeta(ctx, "com.example/cost", JSON(value)); err != nil {
			t.Error(err)
		}
	}
	if err := SetMeta(ctx, "com.example.mcp/cost", JSON("3")); err != nil {
		t.Error(err)
	}
	e := Encoder{buf: []byte("{")}
	c.encodeMeta(&e, nil)
	if got := string(e.buf); got != `{"_meta":{"com.example/cost":{"a":2},"com.example.mcp/cost":3}` {
		t.Error(got)
	}
	c.settle()
	if err := SetMeta(ctx, "com.example/late", JSON("1")); err == nil {
		t.Error("a call that has ended takes more")
	}
	if err := SetMeta(context.Background(), "com.example/cost", JSON("1")); err == nil {
		t.Error("there is no call")
	}
}

// What the client has not declared can't be counted on.
func TestRequire(t *testing.T) {
	p := &peer{}
	p.declare([]byte(`{"elicitation":{},"sampling":{"tools":{}},"roots":true}`))
	ctx := (&Call{tool: &tool{spec: &Spec{}}, peer: p}).Context()
	if err := Require(ctx, "sampling", "elicitation"); err != nil {
		t.Error(err)
	}
	var missing *missingCapability
	if err := Require(ctx, "sampling", "roots", "tasks"); !errors.As(err, &missing) || len(missing.names) != 2 {
		t.Errorf("%v", err)
	}
	if err := Require(context.Background(), "sampling"); err == nil {
		t.Error("there is no client")
	}
}
