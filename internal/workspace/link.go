package workspace

import (
	"os"
	"path/filepath"
	"slices"

	"baton/internal/gitrepo"
	"baton/internal/store/disk"
	"baton/internal/workspace/trust"
)

// keyLink is the beginning of the key of a layout's folder that is a link to another project's.
const keyLink = "link "

// followLink is the function followLink for links that may be followed: those inside the checkout,
// those between worktrees of one repository, and those that the user's configuration or an approval
// allows. Through any other link, the names below the layout's folder lead outside the project, so
// agents cannot read them and nothing writes them (D45).
func (p *Workspace) followLink(root, name string) string {
	to := followLink(root, name)
	if to == root {
		return root
	}
	from := &Workspace{O: p.O, Env: p.Env, Root: root, Git: gitrepo.Open(root, p.Env.Environ)}
	if s, wide := from.linkSetting(name, to); wide && !s.Approved {
		return root
	}
	p.linkedFrom = from
	return to
}

// linkSetting returns the setting that a layout's folder is a link to the one of another root. ok
// is false if it needs no approval.
func (p *Workspace) linkSetting(name, to string) (s WideSetting, ok bool) {
	other := &Workspace{Root: to, Git: gitrepo.Open(to, p.Env.Environ)}
	if p.Git.Top != "" && disk.Within(to, Real(p.Git.Top)) ||
		p.Git.Top != "" && other.Git.Top != "" && p.repository() == other.repository() {
		return WideSetting{}, false
	}
	written, err := os.Readlink(filepath.Join(p.Root, name))
	if err != nil {
		written = to
	}
	place := filepath.Join(to, name)
	own, _ := p.believe().own.Values[keyAllow].([]string)
	allowed := slices.ContainsFunc(own, func(dir string) bool {
		return disk.Within(place, Resolved(AbsoluteIn(p.Root, dir)))
	})
	return p.wide(trust.Setting{Key: keyLink + name, Value: written, Place: place}, allowed,
		"baton works in the project "+to+" in place of this one; agents read it, and commands change it")
}

// linkSettings returns the layout's folders below the root that are links and need approval.
func (p *Workspace) linkSettings() []WideSetting {
	var out []WideSetting
	for _, name := range [...]string{".baton", ".specflux", ".planning", ".specflow", ".devt"} {
		if to := followLink(p.Root, name); to != p.Root {
			if s, ok := p.linkSetting(name, to); ok {
				out = append(out, s)
			}
		}
	}
	return out
}

// writable returns why nothing may be written in this project: its settings are broken, or a
// layout's folder is a link that is not approved.
func (p *Workspace) writable() error {
	if err := p.Settings().Fault(); err != nil {
		return err
	}
	for _, s := range p.linkSettings() {
		if !s.Approved {
			return NotTrusted("", s.file(), s)
		}
	}
	return nil
}
