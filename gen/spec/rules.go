package spec

// The rules that loading checks. Lint has more; both kinds of ID appear in a
// Finding and can be explained.
const (
	ruleSyntax      = "spec-syntax"
	ruleUnknownKey  = "spec-unknown-key"
	ruleRepeatedKey = "spec-repeated-key"
	ruleType        = "spec-type"
	ruleMissing     = "spec-missing"
	ruleValue       = "spec-value"
	ruleApplies     = "spec-applies"
	ruleBounds      = "spec-bounds"
	ruleDefault     = "spec-default"
	ruleUnsupported = "spec-unsupported"
	rulePattern     = "spec-pattern"
	ruleRef         = "spec-ref"
	ruleUnused      = "spec-unused"
	ruleVariant     = "spec-variant"
	ruleDeprecated  = "spec-deprecated"
	ruleLimit       = "spec-limit"
)

// Rule names what findings of one ID have in common.
type Rule struct {
	ID      string
	Purpose string // a sentence
}

// Rules returns the rules that Load checks, for tables and explanations.
func Rules() []Rule {
	return []Rule{
		{ruleSyntax, "Spec files are plain YAML: UTF-8, one document, no anchors, aliases, merge keys or tags."},
		{ruleUnknownKey, "Every key is one that the spec language knows at its place."},
		{ruleRepeatedKey, "A mapping says each key once."},
		{ruleType, "Every value has the type its key wants, booleans being true or false."},
		{ruleMissing, "Required keys are present."},
		{ruleValue, "Values come from their key's vocabulary."},
		{ruleApplies, "A key stands only where it says something, such as minLength beside type: string."},
		{ruleBounds, "Bounds are numbers of their type and leave something allowed."},
		{ruleDefault, "A default is a value that its own schema allows."},
		{ruleUnsupported, "Keys that this version cannot keep are refused, never dropped."},
		{rulePattern, "Patterns use the constructs that mean the same to ECMA-262 and to Go."},
		{ruleRef, "A $ref names a shared type that does not contain itself."},
		{ruleUnused, "Shared types are referred to."},
		{ruleVariant, "Variants of a oneOf are objects with a const of their own under one key, the discriminator."},
		{ruleDeprecated, "A deprecated tool names another tool of the specs in its place."},
		{ruleLimit, "Spec files are regular files of bounded size and depth."},
	}
}
