package folder

import (
	"context"
	"encoding/json"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/statedir"
	"baton/internal/statedir/declaration"
	"baton/internal/workspace"
)

// DirContract returns the contract: one name, the JSON Schema of one file, or all of it (5.15).
// Without a project it uses the declared contract. It fails with NotFound schema_unknown, with
// Usage name_invalid, and with Violation path_outside for a name outside the folder.
func (p Folder) DirContract(ctx context.Context, r ContractRequest) (ContractResult, error) {
	const op = "dir.contract"
	contract, findings, err := p.anyContract(ctx, op)
	if err != nil {
		return ContractResult{}, err
	}
	out := ContractResult{Warnings: findings}
	switch {
	case r.Schema != "":
		schema, ok := contract.Schema(inAnyFolder(r.Schema, contract))
		if !ok {
			return ContractResult{}, schemaUnknown(op, r.Schema, contract, findings)
		}
		out.Schema = json.RawMessage(schema)
	case r.Name != "":
		explained, err := contract.Explain(r.Name)
		if err != nil {
			return ContractResult{}, err
		}
		out.Name = &explained
	default:
		all := contract.Describe()
		out.Contract = &all
	}
	return out, ctx.Err()
}

// anyContract returns the contract of the surrounding project, or the declared one without a
// project.
func (p Folder) anyContract(ctx context.Context, op string) (*declaration.Contract, []report.Finding, error) {
	at, place, err := p.FindFolder(ctx, op)
	if report.CodeOf(err) == report.CodeNoProject {
		return declaration.Declared(), []report.Finding{}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	place = Of(at).Placed(ctx, place)
	return place.Contract, append([]report.Finding{}, place.Doubts()...), nil
}

// inAnyFolder removes the folder from a name, because people copy names with their folder out of
// texts.
func inAnyFolder(name string, c *declaration.Contract) string {
	dirs := []string{}
	for _, f := range statedir.Folders() {
		dirs = append(dirs, f.Dir)
	}
	if own := c.Folder(); own != "" {
		dirs = append(dirs, own)
	}
	for _, dir := range dirs {
		for _, prefix := range [...]string{dir + "/", "./" + dir + "/"} {
			if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" {
				return rest
			}
		}
	}
	return name
}

// schemaUnknown is the error for a name without a schema. A contract.yaml that cannot be read may
// declare one.
func schemaUnknown(op, name string, c *declaration.Contract, findings []report.Finding) error {
	hint := "there are schemas for " + strings.Join(c.Schemas(), ", ")
	if near := c.NearestSchema(inAnyFolder(name, c)); near != "" {
		hint = "did you mean " + near + "? " + hint
	}
	for _, f := range findings {
		if f.Severity == report.Severe {
			hint = "correct " + f.Path + " first: " + f.Text
		}
	}
	return &report.Error{
		Op: op, Kind: report.NotFound, Code: report.CodeSchemaUnknown,
		Message: "there is no schema for " + safetext.Quote(name), Hint: hint,
	}
}

// DirSlugs returns the slugs of lanes of a parallel review and the names of their files (5.15). It
// fails with Conflict slug_taken if two different titles have the same slug, or if the file belongs
// to another lane of the record. It works without a project too.
func (p Folder) DirSlugs(ctx context.Context, titles []string, r DirRequest) (SlugResult, error) {
	const op = "dir.slug"
	taken := map[string]string{}
	at, place, err := p.ForFolder(ctx, op, r)
	if err != nil && report.CodeOf(err) != report.CodeNoProject {
		return SlugResult{}, err
	}
	if err == nil && place.Broken != nil {
		return SlugResult{}, workspace.InOp(place.Broken, op)
	}
	if err == nil {
		if taken, err = Of(at).lanes(ctx, place); err != nil {
			return SlugResult{}, workspace.InOp(err, op)
		}
	}
	slugs, err := statedir.LaneSlugs(titles, taken)
	if err != nil {
		return SlugResult{}, workspace.InOp(err, op)
	}
	out := SlugResult{Lanes: make([]LaneName, 0, len(slugs))}
	for i, slug := range slugs {
		out.Lanes = append(out.Lanes, LaneName{Title: titles[i], Slug: slug, File: statedir.LaneFile(slug)})
	}
	return out, nil
}

// lanes returns the slugs whose file belongs to a lane of the record, with the lane's title.
func (p Folder) lanes(ctx context.Context, place workspace.FolderPlace) (map[string]string, error) {
	v, err := p.ViewFolder(ctx, p.Store, place, p.Now())
	if err == nil {
		err = v.faulty
	}
	taken := map[string]string{}
	if err != nil || v.facts.Record == nil {
		return taken, err
	}
	for _, lane := range v.facts.Record.Lanes() {
		file := lane.Fields["review_file"]
		base := file[strings.LastIndexByte(file, '/')+1:]
		slug, isLane := statedir.LaneOf(base)
		if !isLane {
			slug = statedir.LaneSlug(lane.ID)
		}
		title := lane.Fields["community"]
		if title == "" {
			title = lane.ID
		}
		taken[slug] = title
	}
	return taken, nil
}
