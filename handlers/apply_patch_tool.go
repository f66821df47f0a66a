package handlers

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/handlers/patch"
	"github.com/teaagent/teaagent/handlers/text"
	"github.com/teaagent/teaagent/mcp"
)

const maxPatched = 64 << 20 // bytes of all files together, before and after

// ApplyPatch changes all files of a patch, or none.
func (h *Handlers) ApplyPatch(ctx context.Context, a generated.ApplyPatchArgs) (generated.ApplyPatchResult, error) {
	var r generated.ApplyPatchResult
	w := mcp.WorkspaceFrom(ctx)
	changes, err := planPatch(ctx, w, a)
	if err != nil {
		return r, err
	}
	if err := changeAll(ctx, w, changes); err != nil {
		return r, err
	}
	for _, c := range changes {
		f := generated.ApplyPatchFile{Path: c.to, Change: c.kind()}
		if c.to == "" {
			f.Path = c.from
		} else {
			f.Sha256 = mcp.Some(hashOf(c.data))
		}
		if c.renamed() {
			f.From = mcp.Some(c.from)
		}
		if len(c.moved) > 0 {
			f.Moved = mcp.Some(c.moved)
		}
		r.Files = append(r.Files, f)
	}
	return r, nil
}

// PreviewApplyPatch shows the differences that ApplyPatch would make.
func (h *Handlers) PreviewApplyPatch(ctx context.Context, a generated.ApplyPatchArgs) (mcp.Preview, error) {
	var p mcp.Preview
	changes, err := planPatch(ctx, mcp.WorkspaceFrom(ctx), a)
	if err != nil {
		return p, err
	}
	p.Text = fmt.Sprintf("Would change %d files.", len(changes))
	for _, c := range changes {
		from, to := c.from, c.to
		switch {
		case from == "":
			from = "/dev/null"
			p.Text += fmt.Sprintf("\nWould create %q (%d bytes).", to, len(c.data))
		case to == "":
			to = "/dev/null"
			p.Text += fmt.Sprintf("\nWould delete %q (%d bytes).", from, len(c.old))
		case c.renamed():
			p.Text += fmt.Sprintf("\nWould rename %q to %q: %d bytes become %d.", from, to, len(c.old), len(c.data))
		default:
			p.Text += fmt.Sprintf("\nWould modify %q: %d bytes become %d.", to, len(c.old), len(c.data))
		}
		for _, m := range c.moved {
			p.Text += " Found " + m + "."
		}
		p.Text += addDiff(&p, from, to, c.oldText, c.newText)
	}
	return p, nil
}

// change is what becomes of one file.
type change struct {
	from, to         string // paths before and after; "" if there is none
	old, data        []byte
	oldText, newText string
	moved            []string
}

func (c *change) renamed() bool { return c.from != "" && c.to != "" && c.from != c.to }

func (c *change) kind() generated.ApplyPatchFileChange {
	switch {
	case c.from == "":
		return generated.ApplyPatchFileChangeCreated
	case c.to == "":
		return generated.ApplyPatchFileChangeDeleted
	case c.renamed():
		return generated.ApplyPatchFileChangeRenamed
	}
	return generated.ApplyPatchFileChangeModified
}

// planPatch checks every hunk against every file, and changes nothing.
func planPatch(ctx context.Context, w *mcp.Workspace, a generated.ApplyPatchArgs) ([]*change, error) {
	files, err := patch.Parse(a.Patch)
	if err != nil {
		return nil, err
	}
	listed := map[string]string{} // by clean path, as the caller wrote it
	for _, p := range a.Paths {
		listed[path.Clean(p)] = p
	}
	known := func(name string) bool { return listed[path.Clean(name)] != "" }
	seen := map[string]bool{}
	var changes []*change
	room := maxPatched
	for i := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f := &files[i]
		c := &change{}
		c.from, c.to = f.Names(known)
		for _, name := range []*string{&c.from, &c.to} {
			switch clean := path.Clean(*name); {
			case *name == "" || name == &c.to && c.to == c.from:
			case listed[clean] == "":
				return nil, mcp.Errorf("NOT_LISTED", "line %d of the patch touches %q, which is not in paths; list every file that the patch touches. Nothing was written", f.Line, *name)
			case seen[clean]:
				return nil, mcp.Errorf("INVALID_PATCH", "line %d of the patch touches %q a second time; put all of a file's hunks together. Nothing was written", f.Line, *name)
			default:
				seen[clean] = true
			}
		}
		if err := c.fill(w, f, room); err != nil {
			name := c.from
			if name == "" {
				name = c.to
			}
			return nil, named(name, err)
		}
		room -= max(len(c.old), len(c.data))
		changes = append(changes, c)
	}
	return changes, nil
}

// fill reads the file and makes its new content.
func (c *change) fill(w *mcp.Workspace, f *patch.File, room int) error {
	if c.to != "" && c.to != c.from {
		info, err := w.Writable(c.to)
		if err != nil {
			return err
		}
		if info != nil {
			return mcp.Errorf("ALREADY_EXISTS", "%q exists already, and the patch does not say what is in it. Nothing was written", c.to)
		}
	}
	content := &text.File{}
	if c.from != "" {
		info, err := w.Writable(c.from)
		if err == nil && info == nil {
			err = mcp.Errorf("NOT_FOUND", "the file does not exist. Nothing was written")
		}
		if err == nil {
			c.old, err = w.ReadFile(c.from, int64(min(room, maxEdited)))
		}
		if err == nil && (len(f.Hunks) > 0 || c.to == "") { // a file that only gets another name may be any
			content, err = text.Decode(c.old)
		}
		if err != nil {
			return err
		}
	}
	if c.from != "" && c.to != "" && len(f.Hunks) == 0 {
		c.data = c.old
		return nil
	}
	var moved []patch.Moved
	var err error
	c.oldText = content.Text
	if c.newText, moved, err = f.Apply(content.Text); err != nil {
		return err
	}
	for _, m := range moved {
		c.moved = append(c.moved, fmt.Sprintf("hunk %d at line %d", m.Hunk, m.Line))
	}
	if c.to != "" {
		c.data = content.Encode(c.newText)
	}
	if len(c.data) > room {
		return mcp.Errorf("TOO_LARGE", "the files have more than %d bytes together. Nothing was written", maxPatched)
	}
	return nil
}

// changeAll makes all changes. If one fails, those before it are undone.
func changeAll(ctx context.Context, w *mcp.Workspace, changes []*change) error {
	var undo []func() error
	for _, c := range changes {
		err := ctx.Err()
		if err == nil {
			err = c.make(w, func(back func() error) { undo = append(undo, back) })
		}
		if err == nil {
			continue
		}
		var left []string
		for i := len(undo) - 1; i >= 0; i-- {
			if e := undo[i](); e != nil {
				left = append(left, e.Error())
			}
		}
		var coded *mcp.Error
		if !errors.As(err, &coded) {
			coded = &mcp.Error{Code: "FAILED", Message: err.Error(), Err: err}
		}
		switch {
		case len(left) > 0:
			return mcp.Errorf("PARTLY_DONE", "%s. What was done before could not all be undone: %s", coded.Message, strings.Join(left, "; "))
		case len(undo) > 0:
			return &mcp.Error{Code: coded.Code, Message: coded.Message + ". What was done before is undone", Err: err}
		}
		return err
	}
	return nil
}

// make changes one file as far as it is still what was planned for, and tells
// how each step is taken back.
func (c *change) make(w *mcp.Workspace, undo func(func() error)) error {
	before, after := mcp.Expect{SHA256: hashOf(c.old)}, mcp.Expect{SHA256: hashOf(c.data)}
	if c.to != "" && c.to != c.from {
		made, err := makeParents(w, c.to)
		for _, dir := range made {
			undo(func() error { return w.Remove(dir) })
		}
		if err != nil {
			return err
		}
	}
	switch {
	case c.to == "":
		info, err := w.Lstat(c.from)
		if err == nil {
			err = w.RemoveFileIf(c.from, before)
		}
		if err != nil {
			return err
		}
		undo(func() error {
			_, err := w.WriteFileIf(c.from, c.old, mcp.Expect{Absent: true})
			if err == nil {
				err = w.SetMode(c.from, info.Mode())
			}
			return err
		})
		return nil
	case c.from == "":
		if _, err := w.WriteFileIf(c.to, c.data, mcp.Expect{Absent: true}); err != nil {
			return err
		}
		undo(func() error { return w.RemoveFileIf(c.to, after) })
		return nil
	case c.renamed():
		if err := w.RenameFileIf(c.from, c.to, before); err != nil {
			return err
		}
		undo(func() error { return w.RenameFileIf(c.to, c.from, before) })
	}
	if string(c.data) == string(c.old) {
		return nil
	}
	if _, err := w.WriteFileIf(c.to, c.data, before); err != nil {
		return err
	}
	undo(func() error { _, err := w.WriteFileIf(c.to, c.old, after); return err })
	return nil
}

// makeParents makes the directories that a file lacks, and returns them.
func makeParents(w *mcp.Workspace, name string) (made []string, err error) {
	for i := range len(name) {
		if name[i] != '/' || i == 0 {
			continue
		}
		dir := name[:i]
		_, err := w.Stat(dir)
		if err == nil {
			continue
		}
		if !isCode(err, "NOT_FOUND") {
			return made, err
		}
		if err := w.MkdirAll(dir); err != nil {
			return made, err
		}
		made = append(made, dir)
	}
	return made, nil
}
