package spec

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// Each construct that a pattern may have, with texts that tell it from its
// neighbours. node's RegExp is the referee.
var patterns = []struct {
	pattern string
	texts   []string
}{
	{`abc`, []string{"abc", "xabcx", "ab", ""}},
	{`^a.c$`, []string{"abc", "a\nc", "a\rc", "a\u2028c", "a\u0085c", "a😀c", "aXXc"}},
	{`^$`, []string{"", "a", "\n"}},
	{`^a$`, []string{"a", "a\n", "b\na", "a\nb"}},
	{`a|b|`, []string{"", "c"}},
	{`^(a|b)+$`, []string{"abba", "abc", ""}},
	{`^(?:ab)*$`, []string{"", "abab", "aba"}},
	{`^[abc]$`, []string{"a", "d", "-"}},
	{`^[^a-c]$`, []string{"a", "d", "\n", "😀"}},
	{`^[a\-z]$`, []string{"a", "-", "m", "z"}},
	{`^[-az-]$`, []string{"-", "m"}},
	{`^[[:alpha:]$`, []string{"a", "[", ":", "b"}},
	{`^[\d\w]$`, []string{"1", "_", "ü", "-"}},
	{`^[\D]$`, []string{"1", "a", "١"}},
	{`^[^\W]$`, []string{"a", "-", "é"}},
	{`^[\s]$`, []string{" ", "\u00a0", "\ufeff", "\v", "a"}},
	{`^[\b]$`, []string{"\b", "b"}},
	{`^[\]\\\^]$`, []string{"]", "\\", "^", "a"}},
	{`^[\u{1F600}-\u{1F64F}]$`, []string{"😀", "a"}},
	{`^a*$`, []string{"", "aaa", "b"}},
	{`^a+?$`, []string{"", "aaa"}},
	{`^a?b$`, []string{"b", "ab", "aab"}},
	{`^a{2}$`, []string{"a", "aa", "aaa"}},
	{`^a{2,}$`, []string{"a", "aaaa"}},
	{`^a{2,3}?$`, []string{"a", "aa", "aaa", "aaaa"}},
	{`^a{0}$`, []string{"", "a"}},
	{`^a{02}$`, []string{"a", "aa"}},
	{`^\d$`, []string{"5", "٥", "a"}},
	{`^\D$`, []string{"5", "٥", "\n"}},
	{`^\w$`, []string{"a", "_", "é", "-"}},
	{`^\W$`, []string{"a", "é", "-", "\n"}},
	{`^\s$`, []string{" ", "\v", "\u00a0", "\u1680", "\u180e", "\u2003", "\u2028", "\u202f", "\u205f", "\u3000", "\ufeff", "\u200b", "\u0085", "\x1c"}},
	{`^\S$`, []string{" ", "\u00a0", "a", "\u0085"}},
	{`\bfoo\b`, []string{"a foo b", "afoo", "foo", "éfoo"}},
	{`\Boo`, []string{"foo", "oo"}},
	{`^\t\n\v\f\r\0$`, []string{"\t\n\v\f\r\x00", "tnvfr0"}},
	{`^\x41\u0042\u{43}$`, []string{"ABC", "abc"}},
	{`^\ud83d\ude00$`, []string{"😀", "😁"}},
	{`^\^\$\\\.\*\+\?\(\)\[\]\{\}\|\/$`, []string{`^$\.*+?()[]{}|/`, "a"}},
	{`^é"'<>&%#@!~,;:=_ $`, []string{`é"'<>&%#@!~,;:=_ `, "e"}},
	{`^a-b$`, []string{"a-b", "ab"}},
}

func TestPatternsMeanWhatNodeMeans(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed: nobody to ask what a pattern means")
	}
	type question struct {
		Pattern string   `json:"pattern"`
		Texts   []string `json:"texts"`
	}
	var questions []question
	for _, p := range patterns {
		questions = append(questions, question{p.pattern, p.texts})
	}
	input, err := json.Marshal(questions)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "-e", `
		const all = JSON.parse(require("fs").readFileSync(0, "utf8"));
		console.log(JSON.stringify(all.map(q => q.texts.map(s => new RegExp(q.pattern, "u").test(s)))));`)
	cmd.Stdin = bytes.NewReader(input)
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	var answers [][]bool
	if err := json.Unmarshal(output, &answers); err != nil {
		t.Fatal(err)
	}
	for i, p := range patterns {
		re, err := goPattern(p.pattern)
		if err != nil {
			t.Errorf("%s is refused: it %v", p.pattern, err)
			continue
		}
		for j, text := range p.texts {
			if got := regexp.MustCompile(re).MatchString(text); got != answers[i][j] {
				t.Errorf("%s as %s on %q: %t, node says %t", p.pattern, re, text, got, answers[i][j])
			}
		}
	}
}

func TestPatternsRefused(t *testing.T) {
	for pattern, want := range map[string]string{
		`(?=a)`:             "(?:",
		`(?<n>a)`:           "(?:",
		`(a)\1`:             `\1`,
		`\p{L}`:             `\p`,
		`\cA`:               `\c`,
		`\_`:                `\_`,
		`[]`:                "empty class",
		`[^]`:               "empty class",
		`[a`:                "without its ]",
		`(a`:                "without its )",
		`a)`:                "closes nothing",
		`*a`:                "nothing to repeat",
		`a**`:               "behind a quantifier",
		`^*`:                "nothing to repeat",
		`a{2`:               "starts no count",
		`a{,2}`:             "starts no count",
		`a{3,2}`:            "ends before it starts",
		`a{1001}`:           "over 1000",
		`(?:a{1000}){1000}`: "too large",
		`{`:                 "nothing to repeat",
		`}`:                 "bare",
		`]`:                 "bare",
		`[z-a]`:             "ends before it starts",
		`[\d-z]`:            "no character",
		`[\S]`:              `\S`,
		`\ud83d`:            "surrogate",
		`\u{110000}`:        "names no character",
		`\x4`:               "2 hexadecimal",
		`\`:                 "backslash",
		`\01`:               `\0`,
		strings.Repeat("(", 60) + strings.Repeat(")", 60): "nested",
	} {
		re, err := goPattern(pattern)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %q and error %v, want one about %q", pattern, re, err, want)
		}
	}
}
