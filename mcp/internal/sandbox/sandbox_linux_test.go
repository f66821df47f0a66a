package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	Enter()
	os.Exit(m.Run())
}

// place is a workspace, with what lies outside.
type place struct {
	t                  *testing.T
	work, temp, beside string
}

func newPlace(t *testing.T) place {
	t.Helper()
	if !Confines() {
		t.Skipf("this machine does not confine programs: %+v", found())
	}
	p := place{t, t.TempDir(), t.TempDir(), t.TempDir()}
	p.write(p.work, "inside", "in")
	p.write(p.beside, "secret", "out")
	return p
}

func (p place) write(dir, name, text string) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// sh runs a script, and returns what it wrote and how it ended.
func (p place) sh(ctx context.Context, script string, change ...func(*Program)) (string, Status, error) {
	var out bytes.Buffer
	program := Program{
		Argv: []string{"/bin/sh", "-c", script}, Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.temp, "TMPDIR=" + p.temp},
		Dir: p.work, Stdout: &out, Stderr: &out, Write: []string{p.work, p.temp},
	}
	for _, c := range change {
		c(&program)
	}
	status, err := Run(ctx, program)
	return out.String(), status, err
}

func TestWithin(t *testing.T) {
	p := newPlace(t)
	for script, want := range map[string]string{
		`echo hello; pwd`:                                              "hello\n" + p.work + "\n",
		`cat inside; echo new > made; cat made`:                        "innew\n",
		`echo x > "$TMPDIR/t" && cat "$TMPDIR/t"`:                      "x\n",
		`cat; echo end`:                                                "end\n", // there is no input
		`mkdir -p a/b && mv made a/b/ && ln -s a l && ls l/b`:          "made\n",
		`test $$ -lt 50 && echo small`:                                 "small\n", // other processes are not in sight
		`ls /tmp /home /root /run 2>&1 | grep -v ':' | grep -c secret`: "0\n",
		`echo x > /dev/null; head -c 3 /dev/zero | wc -c`:              "3\n",
		`env | sort | cut -d= -f1 | tr '\n' ' '`:                       "HOME PATH PWD TMPDIR ",
	} {
		p.write(p.work, "made", "")
		got, status, err := p.sh(t.Context(), script)
		if err != nil || strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%s: %q, %+v, %v", script, got, status, err)
		}
		os.Remove(filepath.Join(p.work, "made"))
	}
}

// What leads out is refused.
func TestOutside(t *testing.T) {
	p := newPlace(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	socket := filepath.Join(p.beside, "s")
	byPath, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer byPath.Close()
	home, _ := os.UserHomeDir()
	for what, script := range map[string]string{
		"read beside":                           `cat ` + p.beside + `/secret`,
		"write beside":                          `echo x > ` + p.beside + `/secret`,
		"make beside":                           `touch ` + p.beside + `/new`,
		"write to the home":                     `touch ` + home + `/sandbox-test`,
		"read the home":                         `ls ` + home + ` && test -n "$(ls -A ` + home + `)"`,
		"write to /etc":                         `touch /etc/sandbox-test`,
		"write to /usr":                         `touch /usr/sandbox-test`,
		"read /etc/shadow":                      `cat /etc/shadow`,
		"chmod beside":                          `chmod 777 ` + p.beside + `/secret`,
		"chmod a system file":                   `chmod u+x /etc/passwd`,
		"times of a system file":                `touch -c /etc/passwd`,
		"signal the server":                     fmt.Sprintf(`kill -0 %d`, os.Getpid()),
		"its environment":                       fmt.Sprintf(`cat /proc/%d/environ`, os.Getpid()),
		"its memory":                            fmt.Sprintf(`cat /proc/%d/maps`, os.Getpid()),
		"the init's memory":                     `head -c 1 /proc/1/mem; cat /proc/1/maps | grep -q .`,
		"the init's files":                      `ls /proc/1/fd/3`,
		"a device":                              `mknod dev b 8 0 && head -c 1 dev`,
		"mount":                                 `mount -t tmpfs none /mnt`,
		"a remount":                             `mount -o remount,rw /`,
		"unmount":                               `umount /tmp`,
		"a namespace of its own, and a remount": `unshare -U -r -m mount -o remount,rw,bind /`,
	} {
		if out, status, err := p.sh(t.Context(), script); err != nil || status.Code == 0 {
			t.Errorf("%s: %q, %+v, %v", what, out, status, err)
		}
	}
	if b, err := os.ReadFile(filepath.Join(p.beside, "secret")); err != nil || string(b) != "out" {
		t.Errorf("what lies beside is %q, %v", b, err)
	}
	if python := "/usr/bin/python3"; exec.Command(python, "-c", "").Run() == nil {
		port := listener.Addr().(*net.TCPAddr).Port
		for what, code := range map[string]string{
			"tcp":     fmt.Sprintf(`s.socket().connect(("127.0.0.1",%d))`, port),
			"bind":    `s.socket().bind(("127.0.0.1",0))`,
			"udp":     `s.socket(s.AF_INET,s.SOCK_DGRAM).sendto(b"x",("127.0.0.1",9))`,
			"by path": fmt.Sprintf(`s.socket(s.AF_UNIX).connect(%q)`, socket),
			"mount_setattr": `import ctypes,os
l=ctypes.CDLL(None,use_errno=True)
a=(ctypes.c_uint64*4)(0,1,0,0)
assert l.syscall(442,-100,b"/",0,a,32)==0`,
		} {
			var out bytes.Buffer
			status, err := Run(t.Context(), Program{
				Argv: []string{python, "-c", "import socket as s\n" + code}, Env: []string{"PATH=/usr/bin"}, Dir: p.work,
				Stdout: &out, Stderr: &out, Write: []string{p.work},
			})
			if err != nil || status.Code == 0 {
				t.Errorf("%s: %s %+v, %v", what, out.String(), status, err)
			}
			if what == "tcp" {
				status, err = Run(t.Context(), Program{
					Argv: []string{python, "-c", "import socket as s\n" + code}, Env: []string{"PATH=/usr/bin"}, Dir: p.work, Write: []string{p.work}, Network: true,
				})
				if err != nil || status.Code != 0 {
					t.Errorf("with the network: %+v, %v", status, err)
				}
			}
		}
	} else {
		t.Log("there is no /usr/bin/python3: sockets are not tried")
	}
}

// The home folder may lie in another that is hidden, and the workspace in it.
func TestHomes(t *testing.T) {
	p := newPlace(t)
	for _, home := range []string{p.beside, p.work, filepath.Dir(p.work), "/", "/nowhere", "/tmp"} {
		t.Setenv("HOME", home)
		if out, status, err := p.sh(t.Context(), `cat inside; cat `+p.beside+`/secret`); err != nil || !strings.HasPrefix(out, "in") || status.Code == 0 {
			t.Errorf("home %s: %q, %+v, %v", home, out, status, err)
		}
	}
}

// What is denied in a workspace is empty to a program, and stays as it was.
func TestHidden(t *testing.T) {
	p := newPlace(t)
	if err := os.MkdirAll(filepath.Join(p.work, "dir/below"), 0o755); err != nil {
		t.Fatal(err)
	}
	p.write(p.work, "dir/below/key", "key")
	p.write(p.work, "file", "key")
	hide := func(q *Program) {
		q.Hide = []string{filepath.Join(p.work, "dir"), filepath.Join(p.work, "file"), filepath.Join(p.work, "nowhere")}
	}
	for _, script := range []string{
		`cat file dir/below/key; ls dir`, `cp -r . "$TMPDIR/copy"; cat "$TMPDIR/copy/file"`, `ln file hard; cat hard`,
		`mv dir other; cat other/below/key`, `rm -rf dir file`, `echo x > file; echo x > dir/new`, `umount dir; umount file; cat file`,
	} {
		out, _, err := p.sh(t.Context(), script, hide)
		if err != nil || strings.Contains(strings.ReplaceAll(out, "below/key", ""), "key") {
			t.Errorf("%s: %q, %v", script, out, err)
		}
	}
	for _, name := range []string{"file", "dir/below/key"} {
		if b, err := os.ReadFile(filepath.Join(p.work, name)); string(b) != "key" {
			t.Errorf("%s is %q, %v", name, b, err)
		}
	}
	p.write(p.work, "k\xff", "key")
	odd := func(q *Program) { q.Hide = []string{filepath.Join(p.work, "k\xff")} }
	if out, _, err := p.sh(t.Context(), `cat k*`, odd); !errors.Is(err, ErrNotStarted) {
		t.Errorf("a name that is no UTF-8: %q, %v", out, err)
	}
	if _, _, err := p.sh(t.Context(), `true`, hide, func(q *Program) { q.Unconfined = true }); !errors.Is(err, ErrHide) {
		t.Errorf("unconfined: %v", err)
	}
}

// A read-only workspace is.
func TestReadOnly(t *testing.T) {
	p := newPlace(t)
	read := func(q *Program) { q.Write, q.Read = []string{p.temp}, []string{p.work} }
	if out, _, err := p.sh(t.Context(), `cat inside && ! touch inside && ! chmod 777 inside && ! rm inside && echo kept`, read); err != nil || !strings.HasSuffix(out, "kept\n") {
		t.Errorf("%q, %v", out, err)
	}
}

func TestStatus(t *testing.T) {
	p := newPlace(t)
	for _, unconfined := range []bool{false, true} {
		set := func(q *Program) { q.Unconfined = unconfined }
		for script, want := range map[string]Status{
			`exit 0`: {}, `exit 7`: {Code: 7}, `exit 143`: {Code: 143}, `exit 255`: {Code: 255},
			`kill -TERM $$`: {-1, "terminated"}, `kill -KILL $$`: {-1, "killed"},
		} {
			if _, got, err := p.sh(t.Context(), script, set); err != nil || got != want {
				t.Errorf("unconfined %v, %s: %+v, %v", unconfined, script, got, err)
			}
		}
		_, err := Run(t.Context(), Program{Argv: []string{"/no/such"}, Dir: p.work, Unconfined: unconfined})
		if !errors.Is(err, ErrNotStarted) {
			t.Errorf("no program: %v", err)
		}
	}
}

// Whatever a command starts is gone with it: when it ends, and when its time is up.
func TestNothingIsLeft(t *testing.T) {
	p := newPlace(t)
	for _, unconfined := range []bool{false, true} {
		set := func(q *Program) { q.Unconfined = unconfined }
		mark := filepath.Join(p.work, "alive")
		beat := `while :; do echo x >> ` + mark + `; sleep 0.05; done`
		begun := `until [ -s ` + mark + ` ]; do sleep 0.01; done`
		for _, script := range []string{
			`setsid sh -c '` + beat + `' & ` + begun,
			`(setsid sh -c '(` + beat + `) &'); ` + begun,
			`trap "" TERM HUP INT; (` + beat + `) & ` + begun + `; echo done`,
		} {
			if _, _, err := p.sh(t.Context(), script, set); err != nil {
				t.Error(err)
			}
			p.still(mark, script)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				for ctx.Err() == nil {
					if b, _ := os.ReadFile(mark); len(b) > 0 {
						cancel()
					}
					time.Sleep(10 * time.Millisecond)
				}
			}()
			if _, _, err := p.sh(ctx, `trap "" TERM; `+script+`; sleep 100`, set); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", script, err)
			}
			p.still(mark, script)
		}
	}
}

// still fails if somebody still writes to a file.
func (p place) still(mark, script string) {
	p.t.Helper()
	before, _ := os.ReadFile(mark)
	time.Sleep(300 * time.Millisecond) // in which it would beat six times
	after, _ := os.ReadFile(mark)
	if len(before) != len(after) || len(after) == 0 {
		p.t.Errorf("%s: it wrote %d bytes, then %d", script, len(before), len(after))
	}
	os.Remove(mark)
}

// Many are killed at once; how long that takes is told by go test -v.
func TestManyAreKilled(t *testing.T) {
	p := newPlace(t)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for range 32 {
		running.Go(func() {
			if _, _, err := p.sh(ctx, `trap "" TERM; sleep 100 & echo x >> started; sleep 100`); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
	for {
		if b, _ := os.ReadFile(filepath.Join(p.work, "started")); len(b) == 64 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	began := time.Now()
	cancel()
	running.Wait()
	t.Logf("32 were gone in %s", time.Since(began))
}

// What this machine is said to enforce is found by trying it.
func TestProbe(t *testing.T) {
	for _, c := range Probe(t.Context()) {
		t.Logf("%-50s %v: %s", c.Name, c.Enforced, c.By)
		if Confines() && !c.Enforced {
			t.Errorf("%s is not enforced: %s", c.Name, c.By)
		}
	}
	// With less, less is enforced, and said.
	checks, err := probeLayers(t.Context(), layers{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		t.Logf("without layers: %-35s %v: %s", c.Name, c.Enforced, c.By)
		if strings.Contains(c.Name, "environment") {
			continue // root without its capabilities can't do that, others can
		}
		if want := c.Name == "leave processes behind"; c.Enforced != want {
			t.Errorf("without layers, %s: %+v", c.Name, c)
		}
	}
	if abi := found().Landlock; abi >= 6 {
		checks, err := probeLayers(t.Context(), layers{Landlock: abi})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range checks {
			t.Logf("Landlock alone: %-35s %v: %s", c.Name, c.Enforced, c.By)
			switch c.Name {
			case "change modes, owners and times in other folders":
				if c.Enforced {
					t.Errorf("Landlock alone: %+v", c)
				}
			case "read other folders", "write in other folders", "use TCP", "send signals to this server":
				if !c.Enforced {
					t.Errorf("Landlock alone: %+v", c)
				}
			}
		}
	}
}

func BenchmarkTrue(b *testing.B) {
	for _, unconfined := range []bool{false, true} {
		b.Run(fmt.Sprintf("unconfined=%v", unconfined), func(b *testing.B) {
			for b.Loop() {
				Run(b.Context(), Program{Argv: []string{"/bin/true"}, Dir: "/", Unconfined: unconfined})
			}
		})
	}
	b.Run("exec", func(b *testing.B) {
		for b.Loop() {
			exec.Command("/bin/true").Run()
		}
	})
}
