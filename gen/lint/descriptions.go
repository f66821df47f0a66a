package lint

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/teaagent/teaagent/gen/spec"
)

// maxDescription is what a description stays under, in characters.
const maxDescription = 200

// confirmNote may follow the one sentence of a description.
const confirmNote = "Requires confirm=true."

func descPresent(c *Context, t *spec.Tool) {
	if strings.TrimSpace(t.Description.V) == "" {
		c.Report(at(t.Description, t.Pos), "the tool has no description; write one sentence that starts with a verb")
	}
}

func descImperative(c *Context, t *spec.Tool) {
	words := strings.Fields(t.Description.V)
	if len(words) == 0 {
		return
	}
	first := strings.Trim(words[0], punctuation)
	switch better, ok := imperative(words, nameWords(base(t.Name.V, c.Set.Server.Prefix.V))); {
	case ok:
	case better != "":
		c.ReportPart(t.Description, words[0], "description starts with %q; write %q", first, better)
	default:
		c.ReportPart(t.Description, words[0], "description starts with %q, which is no verb; start with one, such as \"List\" or \"Remove\"", first)
	}
}

const punctuation = `.,;:!?"'`

// imperative reports whether the words of a description start with a verb in
// its plain form and a capital. If not, it returns the verb that they should
// start with, where one can be told. The words of the tool's name tell verbs
// from nouns that look like them: "Store data" of getStoreData is about a store.
func imperative(words, name []string) (better string, ok bool) {
	first, _, _ := strings.Cut(words[0], "/") // Create/update a file
	label := strings.HasSuffix(first, ":")    // READ-ONLY: lists containers
	first = strings.Trim(first, punctuation)
	if verb, isForm := baseForm(strings.ToLower(first)); isForm && !label && !isNoun(first, words, name) {
		return capital(verb), capital(verb) == first
	}
	if len(name) > 1 && verbs[strings.ToLower(name[0])] && !label && isNounOf(strings.ToLower(first), name[1:]) {
		return capital(strings.ToLower(name[0])), false
	}
	if len(words) > 1 && nouns[strings.ToLower(first)] && measures[strings.ToLower(strings.Trim(words[1], punctuation))] {
		return "", false // Review score: its second word is no verb either
	}
	for _, word := range words[1:min(len(words), 6)] { // This tool lists containers
		if verb, isForm := baseForm(strings.ToLower(strings.Trim(word, punctuation))); isForm {
			return capital(verb), false
		}
	}
	return "", false
}

// isNoun reports whether the first word of a description, though it may be a
// verb, stands for a thing.
func isNoun(first string, words, name []string) bool {
	if len(words) == 1 {
		return false
	}
	second := strings.ToLower(strings.Trim(words[1], punctuation))
	switch lower := strings.ToLower(first); {
	case second == "of": // List of containers
		return first != "Dispose"
	case strings.HasPrefix(second, "of/"), second == "is", second == "are", second == "was":
		return true
	case len(name) > 1 && verbs[strings.ToLower(name[0])] && lower != strings.ToLower(name[0]) && isNounOf(lower, name[1:]): // Store data, of getStoreData
		return true
	default:
		return nouns[lower] && measures[second] // Review score
	}
}

// isNounOf reports whether a word is among those that follow a name's verb.
func isNounOf(word string, rest []string) bool {
	for _, n := range rest {
		if strings.EqualFold(n, word) {
			return true
		}
	}
	return false
}

// nouns are verbs that are things as often, and measures what is said of such
// things without an article: "Review score" is no order to review.
var (
	nouns = wordSet(`access address benchmark book branch build cache call chart commit contact design display document download
draft estimate export feed filter forecast graph group host import index issue job label link log mail map market mention merge
model monitor network order package page plan post price process profile project query queue rank rate record release report request
resource review sample scan schedule score search server share shop snapshot sort stage state status store stream survey tag task test
ticket trace trade transfer upload user view vote watch work`)
	measures = wordSet(`amount average count counts date duration frequency history id identifier ids level limit limits name names
number percentage price rank rate rating ratings ratio score scores size statistics stats status sum timestamp total type types url
value volume`)
)

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// abbreviation matches a word whose full stop ends no sentence.
var abbreviation = regexp.MustCompile(`(?i)^["'(]*(etc|vs|cf|resp|approx|incl|excl|max|min|nos?|fig|st|inc|ltd|[dm]r|mrs|ms|([a-z]\.)*[a-z])\.$`)

func descOneSentence(c *Context, t *spec.Tool) {
	text := strings.TrimSpace(t.Description.V)
	if text == "" {
		return
	}
	if strings.Contains(text, "\n") {
		c.Report(t.Description.Pos, "the description has a line break; write one sentence, and the rest under usage")
		return
	}
	sentence := strings.TrimSpace(strings.TrimSuffix(text, confirmNote))
	if second := afterSentence(sentence); second != "" {
		c.ReportPart(t.Description, second, "the description goes on after its first sentence; move the rest to usage")
		return
	}
	if !strings.HasSuffix(sentence, ".") {
		_, last := utf8.DecodeLastRuneInString(sentence)
		c.ReportPart(t.Description, sentence[max(0, len(sentence)-last):], "the description does not end in a full stop; write one")
	}
}

// afterSentence returns what follows the first sentence of text.
func afterSentence(text string) string {
	for i := 0; i < len(text); i++ {
		if !strings.ContainsRune(".!?", rune(text[i])) {
			continue
		}
		rest := strings.TrimLeft(text[i+1:], `.!?"')]`)
		second := strings.TrimLeftFunc(rest, unicode.IsSpace)
		if second == "" || second == rest { // the end, or registry.json
			continue
		}
		if word := text[strings.LastIndexFunc(text[:i], unicode.IsSpace)+1 : i+1]; abbreviation.MatchString(word) {
			continue
		}
		return second
	}
	return ""
}

func descLength(c *Context, t *spec.Tool) {
	if n := utf8.RuneCountInString(t.Description.V); n >= maxDescription {
		c.Report(t.Description.Pos, "the description has %d characters; write under %d, and the rest under usage", n, maxDescription)
	}
}

// effects are the verbs that tell a reader that something is lost or changed.
var effects = strings.Fields(`
abort cancel change clean clear deactivate delete demote deny destroy detach disable discard disconnect drain drop edit eject
empty erase evict expire force halt interrupt invalidate kill modify move mute overwrite patch pause prune purge reboot redeploy
reinstall reject release remove rename replace reset resize restart restore retire revert revoke rewrite rollback rotate shutdown
shut stop suspend swap terminate truncate unassign undeploy undo uninstall unlink unpublish unregister unset unsubscribe withdraw wipe`)

func descEffect(c *Context, t *spec.Tool) {
	if !t.Destructive.V || t.Description.V == "" {
		return
	}
	for word := range strings.FieldsFuncSeq(strings.ToLower(t.Description.V), notInWord) {
		if verb, ok := baseForm(word); ok && slices.Contains(effects, verb) {
			return
		}
	}
	c.Report(t.Description.Pos, "the tool is destructive, but its description names no effect; say what it deletes, overwrites, stops or changes")
}

func notInWord(r rune) bool { return !unicode.IsLetter(r) && r != '-' }

var marketing = regexp.MustCompile(`(?i)\b(amazing(ly)?|awesome|best-in-class|blazing(ly)?([- ]fast)?|cutting-edge|delightful(ly)?|effortless(ly)?|` +
	`enterprise-grade|game-chang(er|ing)|incredibl[ey]|industry-leading|innovative|lightning-fast|magical(ly)?|next-gen(eration)?|` +
	`powerful(ly)?|revolutionary|robust(ly)?|seamless(ly)?|simply|state-of-the-art|super-fast|supercharged?|ultimate|ultra-fast|` +
	`unleash|unparalleled|world-class)\b`)

func descMarketing(c *Context, t *spec.Tool) {
	if word := marketing.FindString(t.Description.V); word != "" {
		c.ReportPart(t.Description, word, "%q says how good the tool is; say what it does", word)
	}
}
