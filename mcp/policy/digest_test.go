package policy

import "testing"

func TestDigest(t *testing.T) {
	for _, test := range []struct {
		name, tool, arguments string
		confirm               bool
		canonical, digest     string
	}{
		{
			"keys are sorted", "workspace_write_file", `{"path":"b.txt","content":"y","create_dirs":true}`, false,
			`{"arguments":{"content":"y","create_dirs":true,"path":"b.txt"},"tool_name":"workspace_write_file"}`,
			"fa0b8c6ea0b0bc644bf852935c06587185f133e0aeba3e52e3b76e4598e28d7b",
		},
		{
			"no arguments", "t", "", false, `{"arguments":{},"tool_name":"t"}`,
			"2dac74e5390e6b40cbf92f27a66686648c1987e0e7eda46ad70f6fb604ab08d4",
		},
		{
			"empty arguments", "t", " { } ", false, `{"arguments":{},"tool_name":"t"}`,
			"2dac74e5390e6b40cbf92f27a66686648c1987e0e7eda46ad70f6fb604ab08d4",
		},
		{
			"numbers stay as written, text is escaped, spaces go", "t",
			`{"z": [1.0, 1e2, {"b":"é😀<\u0041\n","a":null}], "é": [], "Z": -0}`, false,
			`{"arguments":{"Z":-0,"z":[1.0,1e2,{"a":null,"b":"\u00e9\ud83d\ude00<A\n"}],"\u00e9":[]},"tool_name":"t"}`, "",
		},
		{
			"a preview is of the confirmed call", "t", `{"dry_run":true,"confirm":false,"a":{"dry_run":1}}`, true,
			`{"arguments":{"a":{"dry_run":1},"confirm":true},"tool_name":"t"}`, "",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Canonical(test.tool, []byte(test.arguments), test.confirm)
			if string(got) != test.canonical {
				t.Errorf("canonical form\n got %s\nwant %s", got, test.canonical)
			}
			if test.digest != "" && Digest(got) != test.digest {
				t.Errorf("digest is %s, want %s", Digest(got), test.digest)
			}
		})
	}
}
