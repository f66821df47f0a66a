package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// hidden are the folders that a program finds empty, but for what it was given in
// them: others' files, and sockets, which Landlock did not know for long.
var hidden = []string{"/home", "/root", "/tmp", "/var/tmp", "/run", "/var/run", "/media", "/mnt", "/dev/shm"}

// tree is a folder, or a program, that stays visible, cloned as it was before.
type tree struct {
	path  string
	fd    int
	isDir bool
}

// arrange makes the file system what the program is to see:
//
//	clone what it was given ▶ all read-only ▶ hide ▶ put back what was cloned ▶ its own /proc
//
// All that is in the mount namespace of this process alone.
func arrange(o *order) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	trees, err := cloneTrees(o)
	if err != nil {
		return err
	}
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &attr); err != nil {
		return fmt.Errorf("make everything read-only: %w", err)
	}
	veils, err := hide(o)
	if err != nil {
		return err
	}
	for _, t := range trees {
		if err := t.put(); err != nil {
			return fmt.Errorf("show %s: %w", t.path, err)
		}
	}
	for i, path := range o.Hide {
		if err := cover(path, filepath.Join(veils[0], fmt.Sprintf(".hidden-%d", i))); err != nil {
			return fmt.Errorf("hide %s: %w", path, err)
		}
	}
	attr = unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	for _, veil := range veils {
		if veil == "/dev/shm" {
			continue // it is the program's own, and holds no more than 64 MB
		}
		if err := unix.MountSetattr(unix.AT_FDCWD, veil, 0, &attr); err != nil && !errors.Is(err, unix.EINVAL) {
			return fmt.Errorf("hide %s: %w", veil, err)
		}
	}
	if o.Layers.PID {
		// A container may show root a /proc with holes, and no whole one for others.
		// Then the old one stays: Landlock keeps what is secret in there.
		err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_RDONLY, "")
		if err != nil && (!errors.Is(err, unix.EPERM) || o.Layers.Landlock == 0) {
			return fmt.Errorf("mount /proc: %w", err)
		}
	}
	return nil
}

// cloneTrees clones the mounts of what the program is given, parents first.
func cloneTrees(o *order) (trees []tree, err error) {
	clone := func(path string, write bool) error {
		info, err := os.Stat(path)
		if !write && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if path == "/" {
			return errors.New("all of / can't be given to a confined program")
		}
		fd, err := unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
		if err != nil {
			return fmt.Errorf("clone the mount of %s: %w", path, err)
		}
		attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV}
		if !write {
			attr.Attr_set |= unix.MOUNT_ATTR_RDONLY
		}
		if err := unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &attr); err != nil {
			return fmt.Errorf("guard the mount of %s: %w", path, err)
		}
		trees = append(trees, tree{path, fd, info.IsDir()})
		return nil
	}
	for _, path := range o.Read {
		if err := clone(path, false); err != nil {
			return nil, err
		}
	}
	for _, path := range o.Write {
		if err := clone(path, true); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(trees, func(a, b tree) int { return cmp.Compare(len(a.path), len(b.path)) })
	return trees, nil
}

// put mounts the tree where it was.
func (t tree) put() error {
	if t.isDir {
		if err := os.MkdirAll(t.path, 0o755); err != nil {
			return err
		}
	} else if _, err := os.Lstat(t.path); err != nil {
		if err := os.MkdirAll(filepath.Dir(t.path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(t.path, nil, 0o644); err != nil {
			return err
		}
	}
	defer unix.Close(t.fd)
	return unix.MoveMount(t.fd, "", unix.AT_FDCWD, t.path, unix.MOVE_MOUNT_F_EMPTY_PATH)
}

// hide mounts an empty folder over each of those that are hidden.
func hide(o *order) (veils []string, err error) {
	var paths []string
	for _, path := range append([]string{o.Home}, hidden...) {
		path, err := filepath.EvalSymlinks(path)
		if err != nil || path == "/" {
			continue
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			paths = append(paths, path)
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	for _, path := range paths {
		if slices.ContainsFunc(veils, func(veil string) bool { return within(veil, path) }) {
			continue // it is hidden already
		}
		options := "size=1m,mode=755"
		if path == "/dev/shm" {
			options = "size=64m,mode=1777"
		}
		if err := unix.Mount("tmpfs", path, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
			return nil, fmt.Errorf("hide %s: %w", path, err)
		}
		veils = append(veils, path)
	}
	return veils, nil
}

// cover mounts something empty over a folder or file. An empty file is made where
// it may be.
func cover(path, empty string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // somebody has taken it away just now
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil // what it leads to is covered by itself
	case info.IsDir():
		return unix.Mount("tmpfs", path, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_RDONLY, "size=4k,mode=555")
	}
	if err := os.WriteFile(empty, nil, 0o444); err != nil {
		return err
	}
	fd, err := unix.OpenTree(unix.AT_FDCWD, empty, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH, &attr); err != nil {
		return err
	}
	return unix.MoveMount(fd, "", unix.AT_FDCWD, path, unix.MOVE_MOUNT_F_EMPTY_PATH)
}

func hides(path string) bool {
	home, _ := os.UserHomeDir()
	return slices.ContainsFunc(append([]string{home}, hidden...), func(folder string) bool {
		return folder != "" && folder != "/" && within(folder, path)
	})
}

// within reports whether a path is a folder or below it.
func within(folder, path string) bool {
	return path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/")
}
