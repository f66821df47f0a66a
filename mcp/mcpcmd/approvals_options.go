package mcpcmd

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/teaagent/teaagent/mcp/internal/lex"
)

// mixedArgs returns a command's arguments. The library stops at the first one;
// options behind it are taken here, since "grant TOOL --path src" without its
// path would say something else.
func mixedArgs(c *cli.Context) (args []string, help bool, err error) {
	rest := c.Args().Slice()
	for len(rest) > 0 {
		arg := rest[0]
		rest = rest[1:]
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			args = append(args, arg)
			continue
		}
		if arg == "--" {
			return append(args, rest...), false, nil
		}
		name, value, given := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
		i := slices.IndexFunc(c.Command.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
		if name == "help" || name == "h" {
			return nil, true, nil
		}
		if i < 0 {
			return nil, false, fmt.Errorf("there is no option %q", arg)
		}
		if _, isSwitch := c.Command.Flags[i].(*cli.BoolFlag); isSwitch && !given {
			value, given = "true", true
		}
		if !given {
			if len(rest) == 0 {
				return nil, false, fmt.Errorf("the option %s needs a value", arg)
			}
			value, rest = rest[0], rest[1:]
		}
		if err := c.Set(name, value); err != nil {
			return nil, false, fmt.Errorf("invalid value %q for option --%s: %w", value, name, err)
		}
	}
	return args, false, nil
}

// list is the values of an option that may be repeated. The library's own lists
// split at commas, which globs have in {a,b}.
type list []string

func (l *list) Set(s string) error { *l = append(*l, s); return nil }
func (l *list) String() string     { return strings.Join(*l, " ") }

// repeated is a fresh option of that kind.
func repeated(name, usage string) cli.Flag {
	return &cli.GenericFlag{Name: name, Usage: usage, Value: &list{}}
}

func values(c *cli.Context, name string) []string { return *c.Generic(name).(*list) }

// commandWords reads --command: plain words, or a JSON list of words. It never
// guesses what quotes or a shell's characters would have meant.
func commandWords(s string) ([]string, error) {
	var words []string
	if strings.HasPrefix(strings.TrimSpace(s), "[") {
		err := lex.Valid([]byte(s))
		if err == nil {
			err = json.Unmarshal([]byte(s), &words)
		}
		if err != nil || len(words) == 0 || slices.Contains(words, "") {
			return nil, fmt.Errorf(`--command %q is not a JSON list of words like ["git","commit"]`, s)
		}
		return words, nil
	}
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+, "
	if i := strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune(plain, r) }); i >= 0 {
		odd := string([]rune(s[i:])[:1])
		asList, _ := json.Marshal(strings.Fields(s))
		return nil, fmt.Errorf(`--command %q has a %q, which a shell might read as more than a character; if the words are these, write them as a JSON list: --command '%s'`, s, odd, asList)
	}
	if words = strings.Fields(s); len(words) == 0 {
		return nil, fmt.Errorf(`--command is empty; write the words with which commands begin, like --command "git log"`)
	}
	return words, nil
}

// commands reads all values of --command.
func commands(c *cli.Context) (all [][]string, err error) {
	for _, s := range values(c, "command") {
		words, err := commandWords(s)
		if err != nil {
			return nil, err
		}
		all = append(all, words)
	}
	return all, nil
}

func isTerminal(r io.Reader) bool {
	f, ok := r.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
