package workspace

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/agentsession"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store/disk"
	"baton/internal/store/filestore"
	"baton/internal/workspace/config"
	"baton/internal/workspace/trust"
)

// The settings that widen what baton may do (D45).
const (
	keyAllow        = "paths.allow"
	keyRepositories = "repositories"
	keyServers      = "verification.servers"
	keyAttention    = "on_attention"
)

// widens reports whether a setting of a project's files counts only if it is approved.
func widens(key string) bool {
	return key == keyAllow || key == keyRepositories || key == keyServers || key == keyAttention
}

// WideSetting is a setting of the project's files that widens what baton may do.
type WideSetting struct {
	trust.Setting

	Allows   string `json:"allows"` // what baton does if it is approved
	Hash     string `json:"hash"`   // identifies the approval
	Approved bool   `json:"approved"`
}

// belief is what the user decided about the settings of the project's files.
type belief struct {
	book       trust.Book
	repository string
	approved   []trust.Approval
	fault      error         // of the file of approvals
	own        config.Config // the user's own configuration
}

// believe reads the user's configuration and approvals, once.
func (p *Workspace) believe() *belief {
	if p.belief != nil {
		return p.belief
	}
	b := &belief{book: trust.Book{
		Folder: trust.Folder(p.Env, p.Root, p.Git.Top), Env: p.Env, FS: p.O.FS, Wait: p.O.Wait,
	}}
	b.repository = p.repository()
	b.approved, b.fault = b.book.Read()
	b.own = config.Defaults()
	if b.book.Folder != "" {
		name := filepath.Join(b.book.Folder, trust.ConfigName)
		b.own = config.ReadFile(name, name)
		for key := range b.own.Values {
			if !widens(key) {
				delete(b.own.Values, key)
				b.own.Ignore(0, name+": "+key+" is not read from here; set it in the project's "+config.Name)
			}
		}
	}
	p.belief = b
	return b
}

// repository identifies the repository of the project: the real path of the folder that all its
// worktrees share, or of the root outside git. A .git that only claims to belong to another
// repository does not get its approvals: the other repository must name this worktree, too.
func (p *Workspace) repository() string {
	g := p.Git.Place
	if g.Top == "" {
		return p.Root
	}
	common, link := Real(g.Dir), filepath.Join(Real(g.Top), ".git")
	if common == link {
		return common
	}
	if gitDir := Real(g.GitDir); filepath.Dir(gitDir) == filepath.Join(common, "worktrees") {
		back, err := disk.ReadFile(filepath.Join(gitDir, "gitdir"), "gitdir", config.Most)
		if err == nil && Resolved(AbsoluteIn(gitDir, strings.TrimSpace(string(back)))) == link {
			return common
		}
	}
	return p.Root
}

// WideSettings returns the settings of the project's files that count only if they are approved, in
// the order of the documentation. What the user's own configuration says, too, is not among them.
func (p *Workspace) WideSettings() []WideSetting {
	out := p.linkSettings()
	if p.linkedFrom != nil {
		out = append(out, p.linkedFrom.linkSettings()...)
	}
	c := p.Settings()
	if list, _ := c.Values[keyAllow].([]string); len(list) > 0 {
		for _, dir := range list {
			if s, ok := p.allowSetting(dir); ok && !slices.ContainsFunc(out, same(s)) {
				out = append(out, s)
			}
		}
	}
	folders, _ := c.Values[keyRepositories].(map[string]string)
	for _, name := range slices.Sorted(maps.Keys(folders)) {
		if s, ok := p.repositorySetting(name, folders[name]); ok {
			out = append(out, s)
		}
	}
	servers, _ := c.Values[keyServers].(map[string]string)
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		if s, ok := p.serverSetting(name, servers[name]); ok {
			out = append(out, s)
		}
	}
	if command := c.Text(keyAttention); command != "" {
		if s, ok := p.attentionSetting(command); ok {
			out = append(out, s)
		}
	}
	return out
}

func same(s WideSetting) func(WideSetting) bool {
	return func(other WideSetting) bool { return other.Setting == s.Setting }
}

// owns reports whether the user's own configuration has an entry of a mapping with this value.
func (b *belief) owns(key, name, value string) bool {
	m, _ := b.own.Values[key].(map[string]string)
	own, there := m[name]
	return there && own == value
}

// wide completes a setting. ok is false if the user's own configuration has it.
func (p *Workspace) wide(s trust.Setting, own bool, allows string) (WideSetting, bool) {
	if own {
		return WideSetting{}, false
	}
	b := p.believe()
	return WideSetting{
		Setting: s, Allows: allows, Hash: s.Hash(b.repository), Approved: trust.Approves(b.approved, b.repository, s),
	}, true
}

func (p *Workspace) allowSetting(dir string) (WideSetting, bool) {
	place := Resolved(AbsoluteIn(p.Root, dir))
	own, _ := p.believe().own.Values[keyAllow].([]string)
	return p.wide(trust.Setting{Key: keyAllow, Value: dir, Place: place}, slices.Contains(own, dir),
		"links of this project may lead baton's reads and writes to files in "+place)
}

func (p *Workspace) repositorySetting(name, dir string) (WideSetting, bool) {
	place := Resolved(AbsoluteIn(p.Root, filepath.FromSlash(dir)))
	if disk.Within(place, p.Root) {
		return WideSetting{}, false
	}
	return p.wide(trust.Setting{Key: keyRepositories + "." + name, Value: dir, Place: place},
		p.believe().owns(keyRepositories, name, dir),
		"`baton task check --run` runs the commands of tasks of this repository in "+place)
}

func (p *Workspace) serverSetting(name, command string) (WideSetting, bool) {
	return p.wide(trust.Setting{Key: keyServers + "." + name, Value: command, Place: p.within()},
		p.believe().owns(keyServers, name, command),
		"`baton init --agent NAME --verification` writes this command into .mcp.json, and agents run it")
}

func (p *Workspace) attentionSetting(command string) (WideSetting, bool) {
	return p.wide(trust.Setting{Key: keyAttention, Value: command, Place: p.within()},
		p.believe().own.Text(keyAttention) == command,
		"the hooks of coding agents run this command when a session begins to wait for you")
}

// OnAttention returns the command that runs when a session begins to wait for a person: that of the
// user's own configuration, or an approved one of the project; "" if there is none (D45).
func (p *Workspace) OnAttention() string {
	if own := p.believe().own.Text(keyAttention); own != "" {
		return own
	}
	command := p.Settings().Text(keyAttention)
	if s, _ := p.attentionSetting(command); command == "" || !s.Approved {
		return ""
	}
	return command
}

// within returns the root relative to its checkout, so that all worktrees have the same.
func (p *Workspace) within() string {
	if rel, err := filepath.Rel(Real(p.Git.Top), p.Root); err == nil && p.Git.Top != "" && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return "."
}

// allow returns nil if a document may be written at a real path outside the root, and otherwise why
// not (D36, D45).
func (p *Workspace) allow(name, path string) error {
	own, _ := p.believe().own.Values[keyAllow].([]string)
	for _, dir := range own {
		if disk.Within(path, Resolved(AbsoluteIn(p.Root, dir))) {
			return nil
		}
	}
	err := filestore.Outside(name, path)
	list, _ := p.Settings().Values[keyAllow].([]string)
	for _, dir := range list {
		s, ok := p.allowSetting(dir)
		switch {
		case !disk.Within(path, Resolved(AbsoluteIn(p.Root, dir))):
		case !ok || s.Approved:
			return nil
		default:
			err = NotTrusted("", name, s)
		}
	}
	return err
}

// Confine makes this workspace, and those that are opened with its options, neither read nor write
// anything outside the root until release is called, whatever is approved.
func (p *Workspace) Confine() (release func()) {
	before, free := p.O.Confined, p.Store.Confine()
	p.O.Confined = true
	return func() {
		p.O.Confined = before
		free()
	}
}

// NotTrusted returns the error of a command that needs a setting which is not approved. path is the
// file that needs it, or the one that has it.
func NotTrusted(op, path string, s WideSetting) error {
	then := "so baton does not follow it"
	if path != s.file() && path != config.Name {
		then = "so baton does not follow " + safetext.Visible(path) + " out of the project"
	}
	return &report.Error{
		Op: op, Kind: report.Violation, Code: report.CodeNotTrusted, Path: path,
		Message: s.words() + " is not approved on this machine, " + then,
		Hint:    "a person can look at it and approve it with `baton trust`",
		Details: map[string]any{"key": s.Key, "value": s.Value, "place": s.Place},
	}
}

// Repository returns the folder of a task's repository as it is written, and its path; "" if no
// configuration names one (D19). A folder outside the root counts only if the user's configuration
// names it, or if it is approved.
func (p *Workspace) Repository(op, name string) (written, path string, err error) {
	own, _ := p.believe().own.Values[keyRepositories].(map[string]string)
	written = own[name]
	if m, _ := p.Settings().Values[keyRepositories].(map[string]string); m[name] != "" {
		s, wide := p.repositorySetting(name, m[name])
		switch {
		case wide && s.Approved:
			return m[name], s.Place, nil
		case !wide:
			written = m[name]
		case written == "":
			return "", "", NotTrusted(op, config.Name, s)
		}
	}
	if written == "" {
		return "", p.Root, nil
	}
	return written, AbsoluteIn(p.Root, filepath.FromSlash(written)), nil
}

// Servers returns the servers for verifying work that the user's configuration or approved settings
// name, with their commands, and the settings that are not approved.
func (p *Workspace) Servers() (named map[string]string, refused []WideSetting) {
	named = map[string]string{}
	own, _ := p.believe().own.Values[keyServers].(map[string]string)
	maps.Copy(named, own)
	project, _ := p.Settings().Values[keyServers].(map[string]string)
	for _, name := range slices.Sorted(maps.Keys(project)) {
		if s, wide := p.serverSetting(name, project[name]); wide && !s.Approved {
			refused = append(refused, s)
		} else {
			named[name] = project[name]
		}
	}
	return named, refused
}

// TrustFaults returns what is wrong with the user's own configuration and approvals.
func (p *Workspace) TrustFaults() []report.Finding {
	b := p.believe()
	var out []report.Finding
	for _, f := range b.own.Warnings() {
		out = append(out, report.CodeUserConfig.Finding(f.Path, f.Line, f.Text))
	}
	if b.fault != nil {
		out = append(out, report.CodeTrustUnsafe.Finding(b.book.Path(), 0, report.As(b.fault).Message))
	}
	return out
}

// TrustFindings returns a finding for each setting of the project's files that is not approved.
func (p *Workspace) TrustFindings() []report.Finding {
	var out []report.Finding
	for _, s := range p.WideSettings() {
		if !s.Approved {
			out = append(out, s.Finding())
		}
	}
	return out
}

// TrustNote returns a finding that counts the settings that are not approved; none if there are
// none.
func (p *Workspace) TrustNote() []report.Finding {
	n := len(p.TrustFindings())
	if n == 0 {
		return nil
	}
	return []report.Finding{report.CodeNotTrusted.Finding("", 0, safetext.Count(n, "setting")+" of this project "+
		safetext.Noun(n, "is", "are")+" not approved on this machine: `baton doctor` says which, and `baton trust` "+
		"asks you about "+safetext.Noun(n, "it", "each"))}
}

// Finding returns the finding about a setting that is not approved.
func (s WideSetting) Finding() report.Finding {
	return report.CodeNotTrusted.Finding(s.file(), 0, safetext.Visible(s.Key)+": "+s.quoted()+
		" is not approved on this machine, so baton does not follow it; it would allow this: "+s.Allows)
}

// words names a setting in a sentence.
func (s WideSetting) words() string {
	if name, is := strings.CutPrefix(s.Key, keyLink); is {
		return name + " is a link to " + s.quoted() + ", which"
	}
	return safetext.Visible(s.Key) + ": " + s.quoted() + " in " + config.Name
}

// quoted returns the value for people. It hides no character, because a person decides by it.
func (s WideSetting) quoted() string { return `"` + safetext.Visible(s.Value) + `"` }

// file returns the name of the file that has the setting.
func (s WideSetting) file() string {
	if name, is := strings.CutPrefix(s.Key, keyLink); is {
		return name
	}
	return config.Name
}

// TrustFile returns the path of the user's approvals, and the repository to which they belong.
func (p *Workspace) TrustFile() (path, repository string) {
	b := p.believe()
	if b.book.Folder != "" {
		path = b.book.Path()
	}
	return path, b.repository
}

// Approve approves settings of the project's files on this machine, and returns the number of new
// approvals.
func (p *Workspace) Approve(ctx context.Context, settings []WideSetting) (int, error) {
	list := make([]trust.Setting, 0, len(settings))
	for _, s := range settings {
		list = append(list, s.Setting)
	}
	b := p.believe()
	p.belief = nil
	return b.book.Add(ctx, p.O.Command, b.repository, list)
}

// Distrust takes back all approvals of the repository, and returns them.
func (p *Workspace) Distrust(ctx context.Context) ([]trust.Approval, error) {
	b := p.believe()
	p.belief = nil
	removed, err := b.book.Remove(ctx, p.O.Command, b.repository)
	if p.linkedFrom == nil || err != nil {
		return removed, err
	}
	more, err := p.linkedFrom.Distrust(ctx)
	return append(removed, more...), err
}

// Agent reports whether this run is below a coding agent: the agent's client says so in the
// environment, or one of the parent processes is an agent's of which hooks keep a record. name is
// what is known of it.
func (p *Workspace) Agent() (name string, below bool) {
	client, session := p.AgentWriting()
	if client == "" {
		client = agentsession.ClientOf(p.Env.Getenv)
	}
	return client, client != "" || session != "" || p.O.Agent
}
