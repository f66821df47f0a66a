package editor

// The shape of spec files, as editors are told it: a mirror of what gen/spec
// reads, which a test holds to the reader's own lists of keys. What a tag says
// is what an editor shows.

type server struct {
	Server       string              `json:"server" jsonschema:"minLength=1" jsonschema_description:"Name of the server, as clients see it in serverInfo."`
	Prefix       string              `json:"prefix" jsonschema:"pattern=^[a-z][a-z0-9]*$" jsonschema_description:"What the name of every tool starts with, before an underscore."`
	Version      string              `json:"version" jsonschema:"minLength=1" jsonschema_description:"Version of the server; in quotes if it looks like a number."`
	Title        string              `json:"title,omitempty" jsonschema_description:"Name for people."`
	Description  string              `json:"description,omitempty" jsonschema_description:"What the server is for, in a sentence."`
	Instructions string              `json:"instructions,omitempty" jsonschema_description:"What a model is told before it uses the tools; at most 2,048 bytes."`
	Readme       string              `json:"readme,omitempty" jsonschema_description:"Where a person reads on; shown when a variable is missing."`
	Env          map[string]variable `json:"env,omitempty" jsonschema_description:"Environment variables that the server or its tools read, by name."`
	Resources    *resources          `json:"resources,omitempty" jsonschema_description:"Says that the server has resources beside its tools; {} if it has no templates."`
	Categories   map[string]category `json:"categories,omitempty" jsonschema_description:"Categories of tools, by name, in the order of generated code."`
	Types        map[string]arg      `json:"types,omitempty" jsonschema_description:"Types that args and results of any file refer to by $ref, by name."`
	Lint         serverLint          `json:"lint,omitzero" jsonschema_description:"How the rules are applied to the whole server."`
}

type variable struct {
	Description string `json:"description,omitempty" jsonschema_description:"What the variable is for."`
	Required    bool   `json:"required,omitempty" jsonschema_description:"Whether the server does not start without it."`
	Secret      bool   `json:"secret,omitempty" jsonschema_description:"Whether its value is masked wherever it would appear."`
}

type resources struct {
	Templates []template `json:"templates,omitempty" jsonschema_description:"URI templates (RFC 6570) of the resources that can be read without being listed."`
}

type template struct {
	URITemplate string `json:"uriTemplate" jsonschema_description:"The template, as in docker://containers/{id}."`
	Name        string `json:"name" jsonschema:"minLength=1" jsonschema_description:"Short name of what it stands for."`
	Title       string `json:"title,omitempty" jsonschema_description:"Name for people."`
	Description string `json:"description,omitempty" jsonschema_description:"What is found there, in a sentence."`
	MIMEType    string `json:"mimeType,omitempty" jsonschema_description:"MIME type, if all that match have the same."`
}

type category struct {
	Description string `json:"description,omitempty" jsonschema_description:"What the tools of the category are about."`
}

type tools struct {
	Category string         `json:"category,omitempty" jsonschema_description:"Category of the tools that state none; declared in server.yaml."`
	Tools    []tool         `json:"tools" jsonschema_description:"The tools."`
	Types    map[string]arg `json:"types,omitempty" jsonschema_description:"Types that args and results of any file refer to by $ref, by name."`
}

type tool struct {
	Name            string         `json:"name" jsonschema_description:"Name on the wire: the prefix, an underscore, and a verb with its noun, as in docker_listContainers."`
	Title           string         `json:"title,omitempty" jsonschema_description:"Name for people; made from the name if absent."`
	Description     string         `json:"description,omitempty" jsonschema_description:"One sentence that starts with a verb, under 200 characters; of a guarded tool \"Requires confirm=true.\" may follow."`
	Usage           string         `json:"usage,omitempty" jsonschema_description:"Longer text, joined to the description on the wire."`
	Category        string         `json:"category,omitempty" jsonschema_description:"Category, if not that of the file."`
	Destructive     bool           `json:"destructive,omitempty" jsonschema:"default=false" jsonschema_description:"Whether something may be lost: the call needs confirm=true, and has a dry run."`
	RequiresConfirm bool           `json:"requiresConfirm,omitempty" jsonschema_description:"Whether a call needs confirm=true; true for destructive tools."`
	ReadOnly        bool           `json:"readOnly,omitempty" jsonschema:"default=false" jsonschema_description:"Whether nothing changes. Then, and only then, the tier is Low."`
	Idempotent      bool           `json:"idempotent,omitempty" jsonschema:"default=false" jsonschema_description:"Whether calling twice does no more than calling once."`
	Stateful        bool           `json:"stateful,omitempty" jsonschema:"default=false" jsonschema_description:"Whether an answer depends on earlier calls."`
	OpenWorld       bool           `json:"openWorld,omitempty" jsonschema:"default=true" jsonschema_description:"Whether the tool reaches beyond the workspace and the machine."`
	Tier            string         `json:"tier,omitempty" jsonschema:"enum=Low,enum=Medium,enum=High,enum=Critical" jsonschema_description:"How far effects reach: Low reads only, Medium writes in the workspace, High reaches external systems or runs commands, Critical cannot be undone. Medium if absent; High of a destructive, Low of a readOnly tool."`
	Workspace       string         `json:"workspace,omitempty" jsonschema:"enum=none,enum=read,enum=write,default=none" jsonschema_description:"What the tool does with the workspace root."`
	Auth            auth           `json:"auth,omitempty" jsonschema_description:"Variables that the tool needs, declared under env in server.yaml; or none."`
	RateLimit       *rateLimit     `json:"rateLimit,omitempty" jsonschema_description:"How often the tool may be called."`
	TimeoutSeconds  int            `json:"timeoutSeconds,omitempty" jsonschema:"minimum=1,maximum=2147483647,default=60" jsonschema_description:"How long a call may take."`
	Args            map[string]arg `json:"args,omitempty" jsonschema_description:"Arguments by name, in order. confirm and dry_run are added to guarded tools."`
	Result          map[string]arg `json:"result,omitempty" jsonschema_description:"Fields of the structured result, by name; without it a handler returns any content."`
	Examples        []example      `json:"examples,omitempty" jsonschema_description:"Calls with what they find and return; each becomes a test."`
	Deprecated      *deprecated    `json:"deprecated,omitempty" jsonschema_description:"What to use in place of the tool."`
	GoName          string         `json:"goName,omitempty" jsonschema:"pattern=^[A-Z][A-Za-z0-9]*$" jsonschema_description:"Name of the handler's method, where the one made from the name is taken."`
	Lint            *toolLint      `json:"lint,omitempty" jsonschema_description:"The rules that the tool is let off, and why."`
}

type rateLimit struct {
	MaxCalls      int `json:"maxCalls" jsonschema:"minimum=1,maximum=2147483647" jsonschema_description:"How many calls a window allows."`
	WindowSeconds int `json:"windowSeconds" jsonschema:"minimum=1,maximum=2147483647" jsonschema_description:"Length of a window."`
}

type example struct {
	Does    string            `json:"does" jsonschema_description:"What the call does, as in: deletes a file."`
	Files   map[string]string `json:"files,omitempty" jsonschema_description:"Files of the workspace before the call, by path, with their texts."`
	Args    map[string]any    `json:"args,omitempty" jsonschema_description:"Arguments of the call."`
	Returns any               `json:"returns,omitempty" jsonschema_description:"What the call returns."`
	Needs   []string          `json:"needs,omitempty" jsonschema_description:"Variables without which the example is not run, since it calls a real service."`
}

type deprecated struct {
	ReplacedBy string `json:"replacedBy,omitempty" jsonschema:"minLength=1" jsonschema_description:"Name of the tool to use instead."`
	Since      string `json:"since" jsonschema:"minLength=1" jsonschema_description:"Version that says so."`
	RemoveIn   string `json:"removeIn,omitempty" jsonschema:"minLength=1" jsonschema_description:"Version without the tool."`
}

type toolLint struct {
	Allow   words  `json:"allow,omitempty" jsonschema_description:"Rules that are not applied here; teagen explain lists them."`
	Because string `json:"because,omitempty" jsonschema:"pattern=\\S" jsonschema_description:"Why."`
}

type serverLint struct {
	Allow    words             `json:"allow,omitempty" jsonschema_description:"Rules that are not applied to any tool; teagen explain lists them."`
	Because  string            `json:"because,omitempty" jsonschema:"pattern=\\S" jsonschema_description:"Why; asked for where something is allowed, or an error is turned off or down."`
	Severity map[string]severe `json:"severity,omitempty" jsonschema_description:"What the findings of a rule are, by its ID."`
	Profile  words             `json:"profile,omitempty" jsonschema_description:"Clients whose limits count, or none; all if absent."`
	Ceiling  int               `json:"ceiling,omitempty" jsonschema:"minimum=1,maximum=2147483647" jsonschema_description:"Bytes that tools/list may have; teagen budget shows them."`
}

// arg is an argument, a result field, a property, an element, a variant or a
// shared type.
type arg struct {
	Type          string         `json:"type,omitempty" jsonschema:"enum=string,enum=integer,enum=number,enum=boolean,enum=array,enum=object" jsonschema_description:"What the value is."`
	Description   string         `json:"description,omitempty" jsonschema_description:"What the value means, for models and people."`
	Required      bool           `json:"required,omitempty" jsonschema:"default=false" jsonschema_description:"Whether it has to be there."`
	Nullable      bool           `json:"nullable,omitempty" jsonschema:"default=false" jsonschema_description:"Whether it may be null."`
	Secret        bool           `json:"secret,omitempty" jsonschema:"default=false" jsonschema_description:"Whether its value is never echoed nor logged."`
	Role          string         `json:"role,omitempty" jsonschema:"enum=path,enum=command" jsonschema_description:"What grants and containment look at: a path in the workspace, or a command to run."`
	Enum          []any          `json:"enum,omitempty" jsonschema:"minItems=1" jsonschema_description:"The values that it can have: texts, or whole numbers."`
	Const         any            `json:"const,omitempty" jsonschema_description:"The only value that it can have."`
	Default       any            `json:"default,omitempty" jsonschema_description:"Its value where it is absent."`
	Examples      []any          `json:"examples,omitempty" jsonschema_description:"Values that it could have."`
	Minimum       float64        `json:"minimum,omitempty" jsonschema_description:"Least value."`
	Maximum       float64        `json:"maximum,omitempty" jsonschema_description:"Greatest value."`
	Above         float64        `json:"exclusiveMinimum,omitempty" jsonschema_description:"Value that it is above."`
	Below         float64        `json:"exclusiveMaximum,omitempty" jsonschema_description:"Value that it is below."`
	MultipleOf    float64        `json:"multipleOf,omitempty" jsonschema:"exclusiveMinimum=0" jsonschema_description:"Number of which it is a multiple."`
	MinLength     int            `json:"minLength,omitempty" jsonschema:"minimum=0,maximum=2147483647" jsonschema_description:"Least number of characters."`
	MaxLength     int            `json:"maxLength,omitempty" jsonschema:"minimum=0,maximum=2147483647" jsonschema_description:"Greatest number of characters."`
	Pattern       string         `json:"pattern,omitempty" jsonschema_description:"Regular expression that it matches, in the syntax that ECMA-262 and RE2 share."`
	Format        string         `json:"format,omitempty" jsonschema_description:"What kind of text it is; asserted."`
	Items         *arg           `json:"items,omitempty" jsonschema_description:"What the elements of an array are."`
	MinItems      int            `json:"minItems,omitempty" jsonschema:"minimum=0,maximum=2147483647" jsonschema_description:"Least number of elements."`
	MaxItems      int            `json:"maxItems,omitempty" jsonschema:"minimum=0,maximum=2147483647" jsonschema_description:"Greatest number of elements."`
	UniqueItems   bool           `json:"uniqueItems,omitempty" jsonschema:"default=false" jsonschema_description:"Whether no two elements are the same."`
	Properties    map[string]arg `json:"properties,omitempty" jsonschema_description:"Properties of an object, by name."`
	Extra         argOrBool      `json:"additionalProperties,omitempty" jsonschema_description:"What further properties of an object are: a schema makes a map, true lets anything through; none if absent."`
	Discriminator string         `json:"discriminator,omitempty" jsonschema_description:"Property that tells the variants of oneOf apart: a required const in each."`
	OneOf         []arg          `json:"oneOf,omitempty" jsonschema:"minItems=1" jsonschema_description:"Variants, objects that the discriminator tells apart."`
	Ref           string         `json:"$ref,omitempty" jsonschema_description:"Name of a shared type that stands here, as in Point or #/types/Point."`
}
