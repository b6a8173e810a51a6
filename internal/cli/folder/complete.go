package folder

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/safetext"
	"baton/internal/usecase/folder"
)

// completeType offers the types of workflows.
func completeType(d *app.App, cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return ofContract(d, cmd, func(r folder.ContractResult) []string { return r.Contract.WorkflowTypes })
}

// completeContract offers the names of the contract, with what they are for.
func completeContract(d *app.App, cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return ofContract(d, cmd, func(r folder.ContractResult) (names []string) {
		for _, row := range r.Contract.Canonical {
			names = append(names, row.Name+"\t"+safetext.Visible(row.Purpose))
		}
		return names
	})
}

// CompleteSchema offers the names that have a schema.
func CompleteSchema(d *app.App, cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return ofContract(d, cmd, func(r folder.ContractResult) []string { return r.Contract.Schemas })
}

// completeRecordField offers the fields of the record as KEY=, and behind that the words that it
// may hold.
func completeRecordField(d *app.App, cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	key, _, assigned := strings.Cut(word, "=")
	list, how := ofContract(d, cmd, func(r folder.ContractResult) (names []string) {
		for _, f := range r.Contract.RecordFields {
			switch {
			case f.Refused:
			case !assigned:
				names = append(names, f.Name+"=\t"+safetext.Visible(f.Meaning))
			case f.Name == key:
				for _, allowed := range f.Allowed {
					names = append(names, key+"="+allowed)
				}
			}
		}
		return names
	})
	if !assigned {
		how |= cobra.ShellCompDirectiveNoSpace
	}
	return list, how
}

// completeSnapshot offers the snapshots, newest first.
func completeSnapshot(d *app.App, cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	where := folder.DirRequest{}
	if flag := cmd.Flags().Lookup("instance"); flag != nil {
		where.Instance = flag.Value.String()
	}
	return app.Candidates(d, cmd, func(ctx context.Context, p *project.Project) (names []string, err error) {
		got, err := p.Folder.DirHistory(ctx, folder.DirHistoryRequest{DirRequest: where})
		for _, s := range got.Snapshots {
			names = append(names, s.Name+"\t"+safetext.Visible(firstLine(s.Task)))
		}
		return names, err
	})
}

// ofContract asks the contract for candidates.
func ofContract(
	d *app.App, cmd *cobra.Command, take func(folder.ContractResult) []string,
) ([]string, cobra.ShellCompDirective) {
	return app.Candidates(d, cmd, func(ctx context.Context, p *project.Project) ([]string, error) {
		got, err := p.Folder.DirContract(ctx, folder.ContractRequest{})
		if err != nil || got.Contract == nil {
			return nil, err
		}
		return take(got), nil
	})
}
