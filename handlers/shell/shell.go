// Package shell knows which commands only look, and what a sandbox's refusals
// look like. It runs nothing.
package shell

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/teaagent/teaagent/mcp"
)

// Inspection is a command that only looks.
type Inspection struct {
	Program string
	// Paths are the words that name files, which the caller has to check: they
	// are the workspace's, seen from where the command starts.
	Paths []string
	Env   []string // NAME=value that the program needs to be harmless
}

// Inspect checks a command against the allow-list: COMMAND_NOT_ALLOWED says
// what is refused, why, and what there is instead.
func Inspect(argv []string) (Inspection, error) {
	i := slices.IndexFunc(programs, func(p program) bool { return p.name == argv[0] })
	if i < 0 {
		return Inspection{}, unknown(argv[0])
	}
	p := &programs[i]
	in := Inspection{Program: p.name, Env: p.env}
	if p.only != nil {
		if !slices.Equal(argv[1:], p.only) {
			word := strings.Join(argv[1:], " ")
			if len(argv) > 1 && refused[p.name+" "+argv[1]] != "" {
				word = argv[1]
			}
			return in, p.refuse(word, "")
		}
		return in, nil
	}
	if err := p.read(argv[1:], &in); err != nil {
		return in, err
	}
	return in, nil
}

func unknown(name string) error {
	if why := refused[name]; why != "" {
		return mcp.Errorf("COMMAND_NOT_ALLOWED", "%s is not run by this tool: %s. teaagent_runCommand runs any program", name, why)
	}
	var names []string
	for _, p := range programs {
		names = append(names, p.name)
	}
	what := "the program"
	if simple.MatchString(name) {
		what = name
	} else if strings.ContainsRune(name, '/') {
		what = "a program by its path"
	}
	return mcp.Errorf("COMMAND_NOT_ALLOWED", "%s is not run by this tool, only %s by name. teaagent_runCommand runs any program", what, strings.Join(names, ", "))
}

// refuse refuses a word, for its own reason if there is one.
func (p *program) refuse(word, why string) error {
	if own := refused[p.name+" "+word]; own != "" {
		why = own
	}
	if why == "" {
		switch {
		case p.only != nil:
			why = "only " + p.name + " " + strings.Join(p.only, " ") + " is known to be harmless"
		default:
			why = "it is not among those known to be harmless" + p.known()
		}
	}
	return mcp.Errorf("COMMAND_NOT_ALLOWED", "%s %.100q is not run by this tool: %s. teaagent_runCommand runs any command", p.name, word, why)
}

// known lists a program's options.
func (p *program) known() string {
	var options []string
	for _, letter := range p.flags {
		options = append(options, "-"+string(letter))
	}
	for _, word := range p.long {
		options = append(options, "--"+word)
	}
	for word := range p.values {
		options = append(options, dashed(word))
	}
	if options == nil {
		return ", which are none"
	}
	slices.Sort(options)
	return ": " + strings.Join(options, " ")
}

// dashed is an option as it is written.
func dashed(option string) string {
	if len(option) == 1 {
		return "-" + option
	}
	return "--" + option
}

var (
	simple  = regexp.MustCompile(`^[A-Za-z0-9._+-]{1,50}$`)
	numbers = regexp.MustCompile(`^[+-]?[0-9]{1,18}[A-Za-z]{0,3}$`)
	digits  = regexp.MustCompile(`^-[0-9]{1,18}$`)
)

// read checks the words behind the program's name, as getopt reads them:
// options may stand behind operands, up to "--".
func (p *program) read(words []string, in *Inspection) error {
	given := p.needs == ""
	rest := false // all that follows are operands
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		switch {
		case word == "--" && !rest:
			rest = true
		case word == "-":
			return p.refuse(word, "there is no standard input")
		case rest || !strings.HasPrefix(word, "-"):
			if err := p.operand(word, in); err != nil {
				return err
			}
		case p.digits && digits.MatchString(word):
		case strings.HasPrefix(word, "--"):
			name, value, inWord := strings.Cut(word[2:], "=")
			kind := p.values[name]
			switch {
			case len(name) > 1 && kind != 0 && !inWord:
				if len(words) == 0 {
					return p.refuse(word, "its value is missing")
				}
				value, words = words[0], words[1:]
				fallthrough
			case len(name) > 1 && kind != 0:
				if err := p.value(dashed(name), value, kind, in); err != nil {
					return err
				}
			case inWord || !slices.Contains(p.long, name):
				return p.refuse("--"+name, "")
			}
			given = given || name == "summarize"
		default:
			var err error
			if words, err = p.cluster(word[1:], words, in); err != nil {
				return err
			}
			given = given || strings.Contains(word, p.needs)
		}
	}
	if !given {
		return mcp.Errorf("COMMAND_NOT_ALLOWED", "%s is run by this tool with -%s only; teaagent_runCommand runs any command", p.name, p.needs)
	}
	return nil
}

// cluster checks options of a letter that stand in one word, as in ls -la. The
// value of the last may be the rest of the word, or the next word.
func (p *program) cluster(letters string, words []string, in *Inspection) ([]string, error) {
	for i, letter := range letters {
		option := string(letter)
		kind := p.values[option]
		switch {
		case strings.Contains(p.flags, option):
			continue
		case kind == 0:
			return words, p.refuse("-"+option, "")
		}
		value := letters[i+len(option):]
		if value == "" {
			if len(words) == 0 {
				return words, p.refuse("-"+option, "its value is missing")
			}
			value, words = words[0], words[1:]
		}
		return words, p.value("-"+option, value, kind, in)
	}
	return words, nil
}

func (p *program) value(option, value string, kind value, in *Inspection) error {
	switch {
	case kind == number && !numbers.MatchString(value):
		return p.refuse(option+" "+value, "its value is no number")
	case kind != number && strings.HasPrefix(value, "-"):
		return p.refuse(option+" "+value, "its value looks like an option")
	case kind == path:
		in.Paths = append(in.Paths, value)
	}
	return nil
}

func (p *program) operand(word string, in *Inspection) error {
	switch {
	case p.operands == paths:
		in.Paths = append(in.Paths, word)
	case p.operands == names && simple.MatchString(word):
	case p.operands == format && strings.HasPrefix(word, "+"):
	case p.operands == format:
		return p.refuse(word, "it would set the clock; a format begins with +")
	case p.operands == names:
		return p.refuse(word, "it is no program's name")
	default:
		return p.refuse(word, "it takes options only")
	}
	return nil
}

// Find returns the absolute path of a program of search, a list as PATH is. It
// looks for none in the folders to avoid: what is in the workspace, or was put
// beside it by whoever works there, is not the system's program of that name.
// "" is that there is none.
func Find(name, search string, avoid ...string) string {
	for _, folder := range filepath.SplitList(search) {
		candidate := filepath.Join(folder, name)
		if !filepath.IsAbs(folder) || isWithin(candidate, avoid) {
			continue
		}
		resolved, err := filepath.EvalSymlinks(candidate)
		if err != nil || isWithin(resolved, avoid) {
			continue
		}
		if info, err := os.Stat(resolved); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return candidate
		}
	}
	return ""
}

func isWithin(file string, folders []string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		within, err := filepath.Rel(folder, file)
		return folder != "" && err == nil && filepath.IsLocal(within)
	})
}
