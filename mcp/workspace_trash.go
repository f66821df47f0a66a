package mcp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// KeepTrash says in which folder Trash puts things, which is made when it is
// first needed. It is for the server to call at its start, and must be outside
// of the workspace.
func (w *Workspace) KeepTrash(dir string) { w.trash = dir }

// trashReady makes the trash's folder. One that is inside of the workspace, as
// the user's folder is if that is the workspace, would be no trash: the tools
// reach it.
func (w *Workspace) trashReady() error {
	if w.trash == "" {
		return Errorf("NO_TRASH", "the server has no folder to keep what is deleted: start it with a home (TEAAGENT_HOME), or have it deleted for good")
	}
	if err := os.MkdirAll(w.trash, 0o700); err != nil {
		return fmt.Errorf("make the trash: %w", err)
	}
	canonical, err := filepath.EvalSymlinks(w.trash)
	if err != nil {
		return fmt.Errorf("find the trash: %w", err)
	}
	if rel, err := filepath.Rel(w.dir, canonical); err == nil && filepath.IsLocal(rel) {
		return Errorf("NO_TRASH", "the server's folder for what is deleted is inside of the workspace: start it with another home (TEAAGENT_HOME), or have it deleted for good")
	}
	return nil
}

// trashRecord is what item.json in a trashed item's folder says.
type trashRecord struct {
	Workspace string    `json:"workspace"`
	Path      string    `json:"path"`
	Time      time.Time `json:"time"`
}

// Trash moves a file, link or directory out of the workspace to a folder of its
// own in the trash, and returns that folder's path: the thing itself is in it
// under its name within "content", beside an item.json that says where it was.
// It is there completely before it is gone from the workspace.
func (w *Workspace) Trash(name string) (id string, err error) {
	if err := w.may(AccessWrite, name); err != nil {
		return "", err
	}
	if err := w.trashReady(); err != nil {
		return "", err
	}
	dir, base, err := w.parent(name)
	if err != nil {
		return "", err
	}
	defer dir.Close()
	if _, err := w.root.Lstat(trimSlash(name)); err != nil {
		return "", explain(name, err)
	}
	if err := w.mayTake(trimSlash(name), ""); err != nil {
		return "", err
	}
	now := time.Now().UTC()
	item := filepath.Join(w.trash, now.Format("20060102-150405-")+rand.Text()[:10])
	content := filepath.Join(item, "content")
	if err := os.MkdirAll(content, 0o700); err != nil {
		return "", fmt.Errorf("make the trash: %w", err)
	}
	moved := false
	defer func() {
		if !moved {
			os.RemoveAll(item)
		}
	}()
	if err := writeTrashRecord(item, trashRecord{w.dir, w.pathOf(name).Spelled, now}); err != nil {
		return "", fmt.Errorf("write to the trash: %w", err)
	}
	to, err := os.Open(content)
	if err != nil {
		return "", fmt.Errorf("open the trash: %w", err)
	}
	defer to.Close()
	err = renameAt(dir, base, to, base)
	if err != nil && crossesDevices(err) {
		err = w.trashByCopy(dir, base, content, name)
	}
	if err != nil {
		return "", explain(name, err)
	}
	moved = true
	return item, nil
}

func writeTrashRecord(item string, r trashRecord) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(item, "item.json"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// trashByCopy is for a trash on another file system. The thing is put aside
// first, so that nobody adds to it by its path between the copy and its end.
func (w *Workspace) trashByCopy(dir *os.File, base, content, name string) error {
	above := trimSlash(name)
	above = above[:len(above)-len(base)]
	aside := ".teaagent-trash-" + rand.Text() // no temporary file's name: it is all there is of it
	if err := renameAt(dir, base, dir, aside); err != nil {
		return err
	}
	to, err := os.OpenRoot(content)
	if err == nil {
		defer to.Close()
		var n Copied
		c := copying{ctx: context.Background(), n: &n, whole: true}
		err = c.entry(w.root, above+aside, to, base, name, base, 0)
	}
	if err != nil {
		if e := renameAt(dir, aside, dir, base); e != nil {
			return fmt.Errorf("%w; it is now %q, since it could not be put back: %w", err, above+aside, e)
		}
		return err
	}
	// What can't be removed stays aside; the copy is complete, and is kept.
	w.root.RemoveAll(above + aside)
	return nil
}
