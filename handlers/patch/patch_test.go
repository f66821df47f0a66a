package patch

import (
	"strings"
	"testing"

	udiff "github.com/aymanbagabas/go-udiff"
)

const ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"

func TestApply(t *testing.T) {
	for name, tc := range map[string]struct{ file, hunks, want string }{
		"replaces":          {"a\nb\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", "a\nB\nc\n"},
		"counts left out":   {"a\n", "@@ -1 +1 @@\n-a\n+b\n", "b\n"},
		"two hunks":         {ten, "@@ -1,2 +1,3 @@ func f() {\n 1\n+1.5\n 2\n@@ -9,2 +10,1 @@\n 9\n-10\n", "1\n1.5\n2\n3\n4\n5\n6\n7\n8\n9\n"},
		"moved":             {"0\n0\n" + ten, "@@ -1,2 +1,2 @@\n 1\n-2\n+two\n", "0\n0\n1\ntwo\n3\n4\n5\n6\n7\n8\n9\n10\n"},
		"empty context":     {"a\n\nb\n", "@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n", "a\n\nc\n"},
		"no newline before": {"a", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n", "a\n"},
		"no newline after":  {"a\n", "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n", "a"},
		"no newline at all": {"a\nb", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n", "A\nb"},
		"adapts to CRLF":    {"a\r\nb\r\n", "@@ -1,2 +1,3 @@\n a\n-b\n+B\n+C\n", "a\r\nB\r\nC\r\n"},
		"adapts, mixed":     {"a\nb\r\nc\n", "@@ -1,3 +1,4 @@\n a\n b\n+B\n c\n", "a\nb\r\nB\r\nc\n"},
		"adapts at the top": {"b\r\n", "@@ -1,1 +1,2 @@\n+a\n b\n", "a\r\nb\r\n"},
		"CRLF to LF":        {"a\r\n", "@@ -1 +1 @@\n-a\r\n+a\n", "a\n"},
		"fills an empty":    {"", "@@ -0,0 +1,2 @@\n+a\n+b\n", "a\nb\n"},
		"dashes":            {"-- a\n", "@@ -1 +1 @@\n--- a\n+++ b\n", "++ b\n"},
		"signature":         {"a\n", "@@ -1 +1 @@\n-a\n+b\n-- \n2.43.0\n\n", "b\n"},

		"wrong line":      {"a\nx\nc\n", "@@ -1,3 +1,2 @@\n a\n-b\n c\n", `[CONFLICT] hunk 1 (@@ -1,3 +1,2 @@, line 3 of the patch): it agrees from line 1 of the file on, but line 5 of the patch has "b", and line 2 of the file is "x"`},
		"no such line":    {"a\n", "@@ -1 +1 @@\n-b\n+c\n", `line 1 of the file is "a"`},
		"white space":     {"a \n", "@@ -1 +1 @@\n-a\n+c\n", `line 1 of the file is "a "`},
		"file too short":  {"a\n", "@@ -7 +7 @@\n-b\n+c\n", "only 1 lines"},
		"many places":     {"x\na\na\n", "@@ -1 +1 @@\n-a\n+b\n", "[AMBIGUOUS] hunk 1"},
		"out of order":    {ten, "@@ -9 +9 @@\n-9\n+nine\n@@ -1 +1 @@\n-1\n+one\n", "before the end of the hunk before"},
		"no context":      {"a\n", "@@ -1,0 +2 @@\n+b\n", "only adds lines"},
		"newline missing": {"a", "@@ -1 +1 @@\n-a\n+b\n", `has no newline behind it`},
		"newline there":   {"a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n", "has a newline behind it"},
		"newline torn":    {"a\nb\n", "@@ -1 +1 @@\n-a\n+A\n\\ No newline at end of file\n", "not the file's last"},
		"newline inside":  {"a\nb\n", "@@ -1,2 +1,2 @@\n-a\n+A\n\\ No newline at end of file\n b\n", "[INVALID_PATCH]"},
		"too few lines":   {"a\n", "@@ -1,3 +1,3 @@\n-a\n+b\n", "patch ends when 2 old and 2 new"},
		"too many lines":  {"a\nb\n", "@@ -1 +1 @@\n-a\n+b\n+c\n", `line 6 of the patch: "+c" belongs to no hunk`},
		"bad header":      {"a\n", "@@ -1,a +1 @@\n-a\n", "is no header of a hunk"},
		"huge numbers":    {"a\n", "@@ -99999999999999999999 +1 @@\n-a\n+b\n", "is no header of a hunk"},
		"no lines":        {"a\n", "@@ -1,0 +1,0 @@\n", "has no lines"},
		"note first":      {"a\n", "@@ -1 +1 @@\n\\ No newline at end of file\n-a\n", "follows no line"},
		"no hunks":        {"a\n", "", "no hunks"},
	} {
		got := "no file"
		files, err := Parse("--- a/f\n+++ b/f\n" + tc.hunks)
		if err == nil {
			got, _, err = files[0].Apply(tc.file)
		}
		if err != nil {
			got = err.Error()
		}
		if got != tc.want && (err == nil || !strings.Contains(got, tc.want)) {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

func TestParse(t *testing.T) {
	const hunk = "@@ -1 +1 @@\n-a\n+b\n"
	for patch, want := range map[string]string{
		"--- a/x\n+++ b/x\n" + hunk:                                                                                  "x>x",
		"--- x\n+++ x\n" + hunk:                                                                                      "x>x",
		"--- a/x\t2020-01-01\n+++ b/x\t2020-01-01\n" + hunk:                                                          "x>x",
		"--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n":                                                          "x>x",
		"--- \"a/\\303\\251\\tx\"\n+++ \"b/\\303\\251\\tx\"\n" + hunk:                                                "é\tx>é\tx",
		"From: me\n\nText.\n\ndiff --git a/x y b/x y\nindex 1..2 100644\n--- a/x y\n+++ b/x y\n" + hunk:              "x y>x y",
		"diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n":                                         ">e",
		"diff --git a/e b/e\ndeleted file mode 100644\nindex e69de29..0000000\n":                                     "e>",
		"diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\n":                                    "o>n",
		"diff --git a/o b/n\nrename from o\nrename to n\n--- a/o\n+++ b/n\n" + hunk:                                  "o>n",
		"--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n":                                                                ">x",
		"--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n":                                                                "x>",
		"--- a/x\n+++ a/x\n" + hunk:                                                                                  "a/x>a/x",
		"--- a/kept\n+++ b/kept\n" + hunk:                                                                            "a/kept>kept",
		"--- a/x\n+++ b/x\n" + hunk + "\n\n--- a/y\n+++ b/y\n" + hunk + "diff -u a/z b/z\n--- a/z\n+++ b/z\n" + hunk: "x>x y>y z>z",

		"":                                      "no file",
		"*** Begin Patch\n*** End Patch\n":      "no file",
		hunk:                                    "without a file",
		"--- /dev/null\n+++ /dev/null\n" + hunk: "both names",
		"--- /dev/null\n+++ b/x\n" + hunk:       "has old lines",
		"--- a/x\n+++ /dev/null\n" + hunk:       "has new lines",
		"diff --git a/x b/x\nold mode 100644\nnew mode 100755\n":              "mode",
		"diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n":  "120000",
		"diff --git a/x b/y\ncopy from x\ncopy to y\n":                        "copies",
		"diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 1\n":       "binary",
		"diff --git a/x b/x\nBinary files a/x and b/x differ\n":               "binary",
		"diff --git a/x b/x\nrename from x\n--- a/x\n+++ /dev/null\n" + hunk:  "two names",
		"diff --git a/x b/x\nnew file mode 100644\n--- a/x\n+++ b/x\n" + hunk: "do not fit",
		"diff --git \"a\n":                        "told apart",
		"--- a/x\n+++ b/x\n" + hunk + "garbage\n": `"garbage" belongs to no hunk`,
	} {
		files, err := Parse(patch)
		var names []string
		for _, f := range files {
			old, new := f.Names(func(name string) bool { return name == "a/kept" })
			names = append(names, old+">"+new)
		}
		got := strings.Join(names, " ")
		if err != nil {
			got = err.Error()
		}
		if got != want && (err == nil || !strings.Contains(got, want)) {
			t.Errorf("%q: %q, want %q", patch, got, want)
		}
	}
}

// FuzzDiff: what an independent writer of diffs has found, applies to the letter.
func FuzzDiff(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nc\nd")
	f.Add("a\r\nb", "a\nb\r\n")
	f.Add("", "x\n")
	f.Add("--- a\n+++ b\n@@ -1 +1 @@\n", "\\ No newline\n")
	f.Fuzz(func(t *testing.T, old, new string) {
		diff := udiff.Unified("a/f", "b/f", old, new)
		if diff == "" {
			return
		}
		files, err := Parse(diff)
		if err != nil {
			t.Fatalf("%q: %v", diff, err)
		}
		got, moved, err := files[0].Apply(old)
		if err != nil || len(moved) > 0 {
			t.Fatalf("%q: %v, %v", diff, moved, err)
		}
		// Without a CR in the diff, line ends are the file's.
		if !files[0].hasCR() && strings.Contains(old, "\r\n") {
			return
		}
		if got != new {
			t.Errorf("%q makes %q of %q, want %q", diff, got, old, new)
		}
	})
}

// FuzzParse: hostile patches are refused or applied, and never panic.
func FuzzParse(f *testing.F) {
	f.Add("diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n\\ No\n", "")
	f.Add("--- a\n+++ a\n@@ -1,2 +1,1 @@\n a\n-b\n@@ -3 +2 @@\n-c\n+d\n-- \n2.1\n", "a\nb\nc\n")
	f.Fuzz(func(t *testing.T, patch, content string) {
		files, err := Parse(patch)
		if err != nil {
			return
		}
		for i := range files {
			files[i].Names(func(string) bool { return false })
			got, _, err := files[i].Apply(content)
			if err != nil {
				continue
			}
			// Nothing but the hunks' lines comes or goes.
			added := 0
			for _, h := range files[i].Hunks {
				added += h.NewLines - h.OldLines
			}
			if n := len(splitAfter(got)) - len(splitAfter(content)); n != added {
				t.Errorf("%q adds %d lines to %q, not %d", patch, n, content, added)
			}
		}
	})
}
