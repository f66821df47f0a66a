package shell

// value is what an option's value must be.
type value int

const (
	number value = iota + 1 // as head -n has it: 5, +5, -5, 2M
	text                    // anything that does not begin with a dash
	path                    // a file of the workspace
)

// operands says what a program may be given beside options.
type operands int

const (
	none   operands = iota
	paths           // of the workspace
	names           // of programs: no slashes
	format          // one text that begins with a plus: what date prints
)

// program is one that inspectCommand runs, with the options that only shape what
// it prints. What is not listed is refused, so that a new version of a program
// opens nothing.
type program struct {
	name string
	// only, if set, are the words that may follow the name, and all else is refused.
	only     []string
	flags    string           // options of a letter without a value
	long     []string         // options of a word without a value, without their dashes
	values   map[string]value // options with a value, of a letter or a word
	digits   bool             // takes a number for an option, as head -5
	needs    string           // a flag that must be given
	operands operands
	env      []string // NAME=value that keeps it harmless
}

// programs is the allow-list. In the system's own implementations none of these
// writes, waits, runs another program, or reads names of files out of a file.
var programs = []program{
	{name: "ls", flags: "aAlh1rtSFdisnpgoUXQcuk", operands: paths,
		long: []string{"all", "almost-all", "human-readable", "size", "reverse", "directory", "inode", "full-time", "group-directories-first"}},
	{name: "cat", flags: "nbsAETvetu", long: []string{"number", "number-nonblank", "show-all", "show-ends", "show-tabs", "show-nonprinting", "squeeze-blank"}, operands: paths},
	{name: "head", flags: "qvz", long: []string{"quiet", "silent", "verbose"}, values: map[string]value{"n": number, "c": number, "lines": number, "bytes": number}, digits: true, operands: paths},
	{name: "tail", flags: "qvz", long: []string{"quiet", "silent", "verbose"}, values: map[string]value{"n": number, "c": number, "lines": number, "bytes": number}, digits: true, operands: paths},
	{name: "wc", flags: "lwcmL", long: []string{"lines", "words", "bytes", "chars", "max-line-length"}, operands: paths},
	{name: "stat", flags: "fLtx", long: []string{"file-system", "dereference", "terse"}, values: map[string]value{"c": text, "format": text, "printf": text}, operands: paths},
	{name: "file", flags: "biLhk", long: []string{"brief", "mime", "mime-type", "mime-encoding", "dereference", "no-dereference"}, operands: paths},
	{name: "du", flags: "shkmbcx", long: []string{"summarize", "human-readable", "total", "apparent-size", "bytes", "one-file-system", "si"}, needs: "s", operands: paths},
	{name: "df", flags: "hkTiPH", long: []string{"human-readable", "print-type", "inodes", "portability", "si"}, operands: paths},
	{name: "cmp", flags: "lsb", long: []string{"verbose", "silent", "quiet", "print-bytes"}, values: map[string]value{"n": number, "bytes": number}, operands: paths},
	{name: "sha256sum", flags: "bt", long: []string{"binary", "text", "tag"}, operands: paths},
	{name: "which", flags: "a", operands: names},
	{name: "uname", flags: "asnrvmpio", long: []string{"all", "kernel-name", "kernel-release", "machine", "operating-system"}},
	{name: "date", flags: "uRI", long: []string{"utc", "universal", "rfc-email", "iso-8601"}, values: map[string]value{"date": text, "rfc-3339": text, "reference": path}, operands: format},
	{name: "id", flags: "ugGnr", long: []string{"user", "group", "groups", "name", "real"}},
	{name: "uptime", flags: "ps", long: []string{"pretty", "since"}},
	{name: "nproc", long: []string{"all"}},
	// A go.mod or a project's file may name another version, which go would fetch and run.
	{name: "go", only: []string{"version"}, env: []string{"GOTOOLCHAIN=local", "GOENV=off"}},
	{name: "python3", only: []string{"--version"}},
	{name: "node", only: []string{"--version"}},
	{name: "make", only: []string{"--version"}},
	{name: "gcc", only: []string{"--version"}},
}

// refused gives the reason where a caller will ask for it. The key is an option
// of a program, as "tail -f", or a program.
var refused = map[string]string{
	"tail -f":            "it never ends",
	"tail -F":            "it never ends",
	"tail --follow":      "it never ends",
	"tail --retry":       "it waits for a file",
	"tail --pid":         "it waits for a process",
	"head --files0-from": "it takes names of files from a file, which can't be checked",
	"wc --files0-from":   "it takes names of files from a file, which can't be checked",
	"du --files0-from":   "it takes names of files from a file, which can't be checked",
	"du -X":              "it reads a file that is not checked",
	"du --exclude-from":  "it reads a file that is not checked",
	"du -L":              "it follows links, which may lead out of the workspace",
	"du -a":              "it lists all names below; teaagent_showTree leaves out what is denied",
	"ls -R":              "it lists all names below; teaagent_showTree leaves out what is denied",
	"ls --recursive":     "it lists all names below; teaagent_showTree leaves out what is denied",
	"ls -L":              "it follows links, which may lead out of the workspace",
	"file -f":            "it takes names of files from a file, which can't be checked",
	"file --files-from":  "it takes names of files from a file, which can't be checked",
	"file -m":            "it reads a file that is not checked",
	"file --magic-file":  "it reads a file that is not checked",
	"file -C":            "it writes a file",
	"file --compile":     "it writes a file",
	"file -z":            "it may run a program that uncompresses",
	"file -S":            "it switches off the guard that file has about itself",
	"sha256sum -c":       "it takes names of files from a file, which can't be checked",
	"sha256sum --check":  "it takes names of files from a file, which can't be checked",
	"df --sync":          "it writes what the system has not written yet",
	"date -s":            "it sets the clock",
	"date --set":         "it sets the clock",
	"date -f":            "it reads a file that is not checked",
	"date --file":        "it reads a file that is not checked",
	"date -d":            "with some systems it sets the clock; write --date=TEXT",
	"find":               "it can run programs and delete (-exec, -delete); teaagent_findFiles finds files",
	"grep":               "it can read what is denied; teaagent_searchText searches",
	"rg":                 "it can run programs (--pre); teaagent_searchText searches",
	"sort":               "it can write a file (-o) and run a program (--compress-program)",
	"uniq":               "its second argument is a file that it writes",
	"sed":                "it can write files and run programs (-i, w, e)",
	"awk":                "its programs can write files and run others",
	"diff":               "it can run a program (-l)",
	"tree":               "it can write a file (-o); teaagent_showTree shows directories",
	"git":                "it runs programs that a repository's config names; teaagent's tools for git don't",
	"env":                "it runs another program, and the environment may hold secrets",
	"printenv":           "the environment may hold secrets",
	"ps":                 "it shows other processes and their arguments",
	"top":                "it shows other processes, and does not end",
	"xargs":              "it runs another program",
	"tee":                "it writes files",
	"less":               "it waits for keys, and can run programs",
	"more":               "it waits for keys, and can run programs",
	"hostname":           "it can set the name of the machine; uname -n shows it",
	"npm":                "it runs what a project's files say",
	"sh":                 "a shell runs anything",
	"bash":               "a shell runs anything",
	"python":             "it runs anything; python3 --version shows its version",
	"python3 -c":         "it runs anything",
	"node -e":            "it runs anything",
	"make -n":            "even so it runs what a Makefile says",
	"gcc -v":             "it reads specs that can name programs; gcc --version shows its version",
	"go env":             "with -w it writes; and the environment may hold secrets",
	"go list":            "it runs what a module's files say",
	"cat -":              "there is no standard input",
	"which --read-alias": "it waits for standard input",
}
