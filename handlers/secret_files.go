package handlers

import (
	"path"
	"slices"
	"strings"

	"github.com/teaagent/teaagent/mcp"
)

// secretFiles says which files are not served as resources: clients put those
// into a model's context by themselves, where a tool's call can be seen and
// judged. Patterns are path.Match's, over names in lower case.
var secretFiles = []struct {
	why      string
	patterns []string
	not      []string
}{
	{"it holds variables of the environment", []string{".env", ".env[._~]*", ".env-*", ".envrc", "*.env"}, []string{".env.example", ".env.sample", ".env.template"}},
	{"it holds a private key", []string{"*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.ppk", "*.pem.*", "*.key.*", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*"}, []string{"id_rsa.pub", "id_dsa.pub", "id_ecdsa.pub", "id_ecdsa_sk.pub", "id_ed25519.pub", "id_ed25519_sk.pub"}},
	{"it holds credentials", []string{".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".htpasswd", ".git-credentials", ".dockercfg", "credentials.json", "*.kdbx"}, nil},
}

// secretFolders are those of which nothing is served.
var secretFolders = map[string]string{
	".git":      "it belongs to git",
	".ssh":      "it lies among keys",
	".gnupg":    "it lies among keys",
	".aws":      "it lies among credentials",
	".kube":     "it lies among credentials",
	".teaagent": "it lies among approvals",
}

// secret says why a path is not served as a resource, or nothing. A link is
// what it leads to.
func secret(w *mcp.Workspace, name string) (why string) {
	if why := secretPath(name); why != "" {
		return why
	}
	target, err := w.Resolve(name)
	if err != nil || target == name {
		return ""
	}
	return secretPath(target)
}

func secretPath(name string) (why string) {
	segments := strings.Split(strings.ToLower(name), "/")
	for _, folder := range segments {
		if why := secretFolders[folder]; why != "" {
			return why
		}
	}
	base := segments[len(segments)-1]
	matches := func(pattern string) bool {
		ok, _ := path.Match(pattern, base)
		return ok
	}
	for _, kind := range secretFiles {
		if slices.ContainsFunc(kind.patterns, matches) && !slices.Contains(kind.not, base) {
			return kind.why
		}
	}
	return ""
}
