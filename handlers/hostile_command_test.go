//go:build linux

package handlers_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/teaagent/teaagent/mcp/mcptest"
)

// What a command must not do is refused, as doctor says, and the answer tells by what.
func TestHostileCommands(t *testing.T) {
	if commandMode(t) != "allow" {
		t.Skip("this machine does not enforce all: doctor says so, and allow asks")
	}
	dir := t.TempDir()
	home, root, other := filepath.Join(dir, "home"), filepath.Join(dir, "space"), filepath.Join(dir, "other")
	for _, name := range []string{filepath.Join(home, "diary"), filepath.Join(home, ".teaagent", "canary"), filepath.Join(other, "file"), filepath.Join(root, "a.txt")} {
		write(t, name, "needle")
	}
	if err := os.Chmod(filepath.Join(home, ".teaagent"), 0o700); err != nil {
		t.Fatal(err)
	}
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer udp.Close()
	cmd := server.Command(t, mcptest.Options{Home: home})
	t.Setenv("HOME", home)
	t.Setenv("SERVERS_OWN", "needle")
	c := serveAt(t, root, filepath.Join(home, ".teaagent"), "--permission-mode", "allow")
	pid := 0
	for _, line := range marked(t, root) {
		if strings.Contains(line, cmd.Path) {
			fmt.Sscan(line, &pid)
		}
	}
	if pid == 0 {
		t.Fatal("the server's process is not found")
	}
	before := wall{root, other}.beside(t)
	const refused = "was refused"
	for _, attack := range []struct {
		what, script string
		note         string // of which the answer has a part
	}{
		{"write to the home folder", "echo x > " + home + "/diary", "hides"},
		{"make a file in the home folder", "echo x > " + home + "/new", "hides"},
		{"read the home folder", "cat " + home + "/diary", "hides"},
		{"write to another workspace", "echo x > " + other + "/file", "hides"},
		{"read another workspace", "cat " + other + "/file", "hides"},
		{"remove another workspace", "rm -r " + other + "/file", "hides"},
		{"write to the server's state", "echo x > " + home + "/.teaagent/approvals.json", "hides"},
		{"write by a link", "ln -s " + other + "/file link && echo x > link", ""},
		{"write through /proc", "echo x > /proc/" + fmt.Sprint(pid) + "/root" + other + "/file", "hides"},
		{"write where the system is", "echo x > /etc/teaagent-test", refused},
		{"change the mode of a file of the system", "chmod 700 /etc/passwd", refused},
		{"bind over a folder", "mount --bind " + root + " /etc", refused},
		{"unmount", "umount /proc", refused},
		{"mount anew", "mount -o remount,rw /", refused},
		{"TCP", "bash -c 'echo x > /dev/tcp/127.0.0.1/" + port(tcp.Addr()) + "'", "network"},
		{"UDP", "bash -c 'echo x > /dev/udp/127.0.0.1/" + port(udp.LocalAddr()) + "'", "network"},
		{"signal the server", fmt.Sprintf("kill -9 %d", pid), "its own only"},
		{"signal all", fmt.Sprintf("kill -9 -1; bash -c 'kill -9 %d'", pid), ""},
		{"read the server's environment", fmt.Sprintf("cat /proc/%d/environ", pid), "hides"},
		{"read the environment of its init", "cat /proc/1/environ | tr '\\0' '\\n' | grep NEEDLE", ""},
		{"find the server", "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep SERVERS_OWN", ""},
		{"trace its init", "cat /proc/1/mem > /dev/null", refused},
	} {
		r := c.run(args{"script": attack.script, "timeoutSeconds": 20})
		if r.ExitCode == 0 || !r.Confined || r.TimedOut || strings.Contains(r.Stdout.Text+r.Stderr.Text, "needle") {
			t.Errorf("%s: %+v", attack.what, r)
		}
		if !strings.Contains(r.Note, attack.note) || attack.note == "" && r.Stderr.Text == "" && !strings.Contains(attack.script, "grep") && r.Signal == "" {
			t.Errorf("%s: the note is %q, the command says %q", attack.what, r.Note, r.Stderr.Text)
		}
		t.Logf("%s: %s (%d) %s", attack.what, strings.TrimSpace(r.Stderr.Text), r.ExitCode, r.Note)
	}
	if after := (wall{root, other}).beside(t); fmt.Sprint(withoutAudit(before)) != fmt.Sprint(withoutAudit(after)) {
		t.Errorf("beside the workspace there was\n%v\nand now is\n%v", before, after)
	}
	if _, err := os.Stat("/etc/teaagent-test"); err == nil {
		t.Error("a file was made in /etc")
	}
	tcp.(*net.TCPListener).SetDeadline(time.Now())
	if conn, err := tcp.Accept(); err == nil {
		t.Errorf("somebody has connected: %v", conn.RemoteAddr())
	}
	udp.SetReadDeadline(time.Now())
	if n, from, err := udp.ReadFrom(make([]byte, 9)); err == nil {
		t.Errorf("%d bytes came from %v", n, from)
	}
	if r := c.run(args{"script": "cat a.txt > b.txt && echo x > $TMPDIR/x && cat $TMPDIR/x"}); r.ExitCode != 0 || c.read("b.txt") != "needle" {
		t.Errorf("what it may do: %+v", r)
	}
}

func port(a net.Addr) string {
	_, port, _ := net.SplitHostPort(a.String())
	return port
}

// withoutAudit leaves out what a server itself writes.
func withoutAudit(files map[string]string) map[string]string {
	kept := map[string]string{}
	for name, text := range files {
		if !strings.Contains(name, "/.teaagent/") || strings.HasSuffix(name, "canary") || strings.Contains(name, "approvals") {
			kept[name] = text
		}
	}
	return kept
}
