package setup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"

	"baton/internal/agentconfig"
	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/filestore"
	"baton/internal/workspace"
)

// pluginSums lists the files that a build wrote, with one hash and name per line as sha256sum reads
// them. The next build replaces files that still match. The list is a separate file, because JSON
// cannot contain such a mark.
const pluginSums = ".baton-plugin.sha256"

// BuildPlugin writes the plugin and its marketplace to a folder, which is created if it is missing
// (agents.md 5). The same version gives the same bytes. An existing file that no build of baton
// wrote is never replaced; then it fails with Conflict foreign_file, and nothing is written. It
// also fails with Usage no_folder_named, and with the errors of writing.
func (p Setup) BuildPlugin(ctx context.Context, r PluginRequest) (PluginResult, error) {
	if r.Out == "" {
		return PluginResult{}, &report.Error{
			Op: "plugin.build", Kind: report.Usage, Code: report.CodeNoFolderNamed, Message: "name a folder",
			Hint: "baton plugin build --out DIR",
		}
	}
	out := workspace.Resolved(p.Absolute(r.Out))
	files := agentconfig.PluginFiles(r.Version, PluginLicense())
	to := filestore.Open(filestore.Options{
		Root: out, Runtime: filepath.Join(
			runtimeOf(p.Env, "plugin"), shortHash(out),
		), Command: p.O.Command, Env: p.Env, FS: p.O.FS, Wait: p.O.Wait,
	})
	result := PluginResult{Out: out}
	build := func(tx *store.Tx) error {
		sums, err := tx.Read(pluginSums)
		if err != nil {
			return err
		}
		known := strings.Split(string(sums.Data), "\n")
		result.Files = []string{}
		var list strings.Builder
		for _, f := range files {
			if err := pluginPlace(tx, f, known); err != nil {
				return err
			}
			tx.Write(f.Name, []byte(f.Text))
			fmt.Fprintf(&list, "%s\n", sumLine([]byte(f.Text), f.Name))
			result.Files = append(result.Files, f.Name)
		}
		tx.Write(pluginSums, []byte(list.String()))
		return nil
	}
	if p.O.Rehearsal != nil {
		return PluginResult{}, p.O.Rehearsal.Plan(ctx, to, filepath.ToSlash(r.Out), build)
	}
	if _, err := to.Update(ctx, build); err != nil {
		return PluginResult{}, err
	}
	return result, to.Close()
}

// pluginPlace refuses a place with a file that no build wrote.
func pluginPlace(tx *store.Tx, f agentconfig.Snippet, known []string) error {
	doc, err := tx.Read(f.Name)
	if err != nil || !doc.Exists || string(doc.Data) == f.Text {
		return err
	}
	want := sumLine(doc.Data, f.Name)
	for _, line := range known {
		if line == want {
			return nil
		}
	}
	return &report.Error{
		Op: "plugin.build", Kind: report.Conflict, Code: report.CodeForeignFile, Path: f.Name,
		Message: f.Name +
			" exists, but no build of baton wrote it", Hint: "name an empty folder, or move " +
			"the file away",
	}
}

func sumLine(data []byte, name string) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]) + "  " + name
}

// shortHash distinguishes folders.
func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// runtimeOf returns the folder of lock and journal for a store outside projects. Every root has its
// own, because names in a journal are relative to its root.
func runtimeOf(env report.Env, name string) string {
	base := userFolder(env)
	if base == "" {
		base = filepath.Join(env.Dir, ".baton", "local")
	}
	return filepath.Join(base, "run", name)
}
