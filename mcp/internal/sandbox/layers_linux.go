package sandbox

import (
	"context"
	"os"
	"sync"
	"syscall"
	"time"

	llsys "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// layers are what a machine has to confine programs with.
type layers struct {
	User     bool // a user namespace: without it only root can make the others
	Mount    bool
	PID      bool
	Net      bool
	Landlock int // its ABI; 0 for none
}

// attributes are how the init of a program is started.
func (l layers) attributes(o order) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true}
	if l.Mount {
		a.Cloneflags |= syscall.CLONE_NEWNS | syscall.CLONE_NEWIPC
	}
	if l.PID {
		a.Cloneflags |= syscall.CLONE_NEWPID
	}
	if l.Net && !o.Network {
		a.Cloneflags |= syscall.CLONE_NEWNET
	}
	if l.User {
		a.Cloneflags |= syscall.CLONE_NEWUSER
		// Root may map everybody, and files of others stay theirs; others map themselves.
		if o.Uid == 0 {
			a.UidMappings = []syscall.SysProcIDMap{{Size: 1<<32 - 1}}
			a.GidMappings = []syscall.SysProcIDMap{{Size: 1<<32 - 1}}
			a.GidMappingsEnableSetgroups = true
		} else {
			a.UidMappings = []syscall.SysProcIDMap{{ContainerID: o.Uid, HostID: o.Uid, Size: 1}}
			a.GidMappings = []syscall.SysProcIDMap{{ContainerID: o.Gid, HostID: o.Gid, Size: 1}}
		}
	}
	return a
}

// found is what this machine has: the first of these with which an init starts.
var found = sync.OnceValue(func() layers {
	abi, err := llsys.LandlockGetABIVersion()
	if err != nil || abi < 0 {
		abi = 0
	}
	all := layers{User: true, Mount: true, PID: true, Net: true}
	ways := []layers{all}
	if os.Getuid() == 0 {
		// In a container root may have no root of its own within another's.
		ways = append(ways, layers{Mount: true, PID: true, Net: true})
	}
	for _, l := range ways {
		l.Landlock = abi
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		r, err := start(ctx, order{Layers: l, Try: "nothing", Program: Program{Dir: "/"}})
		cancel()
		if err == nil && r.Error == "" {
			return l
		}
	}
	return layers{Landlock: abi}
})

func confines() bool {
	if !entered {
		return false
	}
	l := found()
	return l.Mount && l.PID && l.Net && l.Landlock > 0
}
