package sandbox

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/landlock-lsm/go-landlock/landlock"
)

// What programs need to read, where it is there. /etc is not among them as a
// whole: it has secrets.
var (
	systemFolders = []string{
		"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store", "/snap", "/proc", "/sys",
		"/etc/alternatives", "/etc/ca-certificates", "/etc/fonts", "/etc/java", "/etc/ld.so.conf.d", "/etc/pki/tls/certs",
		"/etc/pki/ca-trust", "/etc/profile.d", "/etc/skel", "/etc/ssl/certs", "/etc/terminfo", "/etc/xml", "/var/lib/dpkg",
		"/var/cache/fontconfig", "/var/lib/ghc",
	}
	systemFiles = []string{
		"/etc/bash.bashrc", "/etc/debian_version", "/etc/environment", "/etc/gai.conf", "/etc/group", "/etc/host.conf", "/etc/hostname",
		"/etc/hosts", "/etc/inputrc", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.preload", "/etc/locale.alias", "/etc/localtime",
		"/etc/login.defs", "/etc/machine-id", "/etc/magic", "/etc/magic.mime", "/etc/mime.types", "/etc/nanorc", "/etc/nsswitch.conf",
		"/etc/os-release", "/etc/papersize", "/etc/passwd", "/etc/profile", "/etc/protocols", "/etc/resolv.conf", "/etc/rpc", "/etc/services",
		"/etc/shells", "/etc/ssl/openssl.cnf", "/etc/timezone", "/etc/vimrc", "/etc/wgetrc",
	}
	devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"}
)

// restrict lets this process, and what it starts, reach only what is listed.
func restrict(o *order) error {
	rules := []landlock.Rule{
		landlock.RODirs(systemFolders...).IgnoreIfMissing(),
		landlock.ROFiles(systemFiles...).IgnoreIfMissing(),
		landlock.RWFiles(devices...).IgnoreIfMissing(),
	}
	if o.Layers.Mount {
		rules = append(rules, landlock.RWDirs("/dev/shm").IgnoreIfMissing())
	}
	for _, folder := range searchPath(o) {
		rules = append(rules, landlock.RODirs(folder).IgnoreIfMissing())
	}
	for _, path := range o.Read {
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			rules = append(rules, landlock.ROFiles(path))
		} else {
			rules = append(rules, landlock.RODirs(path).IgnoreIfMissing())
		}
	}
	for _, path := range o.Write {
		rules = append(rules, landlock.RWDirs(path).WithRefer())
	}
	config := landlock.V10
	if o.Network {
		fs := config
		fs.HandledAccessNet = 0
		config = fs
	}
	return config.BestEffort().Restrict(rules...)
}

// searchPath returns the folders of programs that PATH names outside the user's.
func searchPath(o *order) (folders []string) {
	for _, v := range o.Env {
		list, ok := strings.CutPrefix(v, "PATH=")
		if !ok {
			continue
		}
		for _, folder := range filepath.SplitList(list) {
			if filepath.IsAbs(folder) && filepath.Clean(folder) != "/" && !(o.Home != "/" && within(o.Home, folder)) {
				folders = append(folders, folder)
			}
		}
	}
	return folders
}
