// Package spec reads tool specs strictly, into a model in which every value
// keeps the place it was written at.
package spec

// Pos is a place in a spec file. Line and Col count from 1, Col in characters;
// Width is how many characters the thing at that place spans, at least 1.
type Pos struct {
	File  string
	Line  int
	Col   int
	Width int
}

// Value is a value with its place. One that was not written has the default
// of its kind (the default of DESIGN's spec language, not of Go) and no place.
type Value[T any] struct {
	V   T
	Pos Pos
}

// Set reports whether the value was written in the spec.
func (v Value[T]) Set() bool { return v.Pos.Line > 0 }

// Literal is a JSON value in its source text, compact: defaults, enum members
// and examples, with integers exact at any size.
type Literal string

// Set is all that a specs folder says.
type Set struct {
	Server Server
	Tools  []*Tool   // files in name order, tools as written
	Types  []*Schema // what $ref refers to, each with its Name; files in name order too

	sources map[string]*source // by file name as in Pos.File, for the line under a finding
	misread map[Pos]bool       // the places of values that Load reported, see Misread
}

// Server is specs/server.yaml.
type Server struct {
	Pos          Pos
	Name         Value[string]
	Prefix       Value[string]
	Version      Value[string]
	Title        Value[string]
	Description  Value[string]
	Instructions Value[string]
	Readme       Value[string]
	Env          []*EnvVar
	Resources    *Resources // nil if the server has none
	Categories   []*Category
	Lint         *Lint // nil without `lint:`
}

// Resources declares that the server has resources beside its tools.
type Resources struct {
	Pos       Pos
	Templates []*Template
}

// Template is a URI template (RFC 6570) of resources.
type Template struct {
	Pos         Pos
	URITemplate Value[string]
	Name        Value[string]
	Title       Value[string]
	Description Value[string]
	MIMEType    Value[string]
}

// EnvVar declares an environment variable; Auth of a tool refers to it by name.
type EnvVar struct {
	Name        Value[string]
	Description Value[string]
	Required    Value[bool]
	Secret      Value[bool]
}

// Category declares a category; a spec file's `category:` refers to it by name.
type Category struct {
	Name        Value[string]
	Description Value[string]
}

// Tool is one entry of `tools:`.
type Tool struct {
	Pos             Pos // of its first key
	Name            Value[string]
	Title           Value[string] // default: derived from Name, "Read file"
	Description     Value[string]
	Usage           Value[string]
	Category        Value[string] // default: the file's, with its place there
	Destructive     Value[bool]
	RequiresConfirm Value[bool] // default: Destructive
	ReadOnly        Value[bool]
	Idempotent      Value[bool]
	Stateful        Value[bool]
	OpenWorld       Value[bool]     // default: true
	Tier            Value[string]   // default: Medium, Low if readOnly, or High if destructive
	Workspace       Value[string]   // none | read | write; default none
	Auth            []Value[string] // names of Server.Env
	AuthNone        bool            // `auth: none` was written
	AuthPos         Pos
	RateLimit       *RateLimit
	TimeoutSeconds  Value[int]
	Args            []*Schema // in order, each with its Name
	Result          []*Schema // nil: the tool returns free content
	ResultPos       Pos       // set where `result:` was written
	Examples        []*Example
	GoName          Value[string]
	Deprecated      *Deprecated // nil: it is not
	Lint            *Lint       // nil without `lint:`
}

// Deprecated says what to use in place of a tool.
type Deprecated struct {
	Pos        Pos
	ReplacedBy Value[string] // the name of another tool; empty if there is none
	Since      Value[string] // a version
	RemoveIn   Value[string] // a version; empty if it is not known
}

// RateLimit allows MaxCalls calls in every window.
type RateLimit struct {
	Pos           Pos
	MaxCalls      Value[int]
	WindowSeconds Value[int]
}

// Example is a call with the files it finds and what it returns.
type Example struct {
	Pos     Pos
	Does    Value[string]
	Files   []NamedText
	Args    Value[Literal] // an object; {} if absent
	Returns Value[Literal] // empty if absent
	Needs   []Value[string]
}

// NamedText is a file of an example.
type NamedText struct {
	Name Value[string]
	Text Value[string]
}

// Schema is an argument, a result field, a property, an array's element, a
// map's value, a variant of a oneOf or a shared type. Its vocabulary is JSON
// Schema's own but for Required, Secret, Role, Nullable and Discriminator.
type Schema struct {
	Pos         Pos           // of its mapping
	Name        Value[string] // its key; empty for an element, a map's value and a variant
	Type        Value[string] // string | integer | number | boolean | array | object; empty beside OneOf
	Description Value[string]
	Required    Value[bool]
	Nullable    Value[bool]
	Secret      Value[bool]
	Role        Value[string] // path | command

	// Ref is the name of the shared type that stands here, and Shared that type;
	// all that it says is also said by this schema. Description, Required,
	// Nullable, Default and Examples can be the place's own, as their Pos tells.
	Ref    Value[string]
	Shared *Schema

	Enum     []Value[Literal]
	Const    Value[Literal] // a text, number or boolean
	Default  Value[Literal]
	Examples []Value[Literal]

	Minimum          Value[Literal] // numbers in their source text
	Maximum          Value[Literal]
	ExclusiveMinimum Value[Literal]
	ExclusiveMaximum Value[Literal]
	MultipleOf       Value[Literal]

	MinLength Value[int] // absent: V is 0; for the maxima V is -1
	MaxLength Value[int]
	Pattern   Value[string] // in ECMA-262's syntax
	GoPattern string        // the same in Go's
	Format    Value[string] // one of Formats

	Items       *Schema
	MinItems    Value[int]
	MaxItems    Value[int]
	UniqueItems Value[bool]

	Properties []*Schema   // in order, each with its Name
	Extra      *Schema     // what other properties are: additionalProperties with a schema
	Open       Value[bool] // additionalProperties: true, any JSON; or false, the default

	OneOf         []*Schema     // objects, told apart by
	Discriminator Value[string] // a property that is a const in each
}

// IsMap reports whether s is an object that declares no property and takes others.
func (s *Schema) IsMap() bool {
	return len(s.Properties) == 0 && (s.Extra != nil || s.Open.V)
}

// Formats lists the formats that a decoder asserts.
var Formats = []string{"date-time", "date", "time", "email", "uri", "uuid", "ipv4", "ipv6"}

// Severity says whether a finding stops generation.
type Severity uint8

const (
	Error   Severity = iota // nothing is written
	Warning                 // printed, and that is all
)

// Finding is something wrong at a place of a spec.
type Finding struct {
	Pos      Pos
	Rule     string // the ID of the rule, e.g. desc-imperative
	Severity Severity
	Message  string // what is wrong, and what to write instead
}
