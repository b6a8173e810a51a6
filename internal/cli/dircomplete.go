package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/usecase/folder"
)

// completeType offers the types of workflows.
func (d *door) completeType(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return d.ofContract(cmd, func(r folder.ContractResult) []string { return r.Contract.WorkflowTypes })
}

// completeContract offers the names of the contract, with what they are for.
func (d *door) completeContract(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return d.ofContract(cmd, func(r folder.ContractResult) (names []string) {
		for _, row := range r.Contract.Canonical {
			names = append(names, row.Name+"\t"+harmless(row.Purpose))
		}
		return names
	})
}

// completeSchema offers the names that have a schema.
func (d *door) completeSchema(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return d.ofContract(cmd, func(r folder.ContractResult) []string { return r.Contract.Schemas })
}

// completeRecordField offers the fields of the record as KEY=, and behind that the words that it may hold.
func (d *door) completeRecordField(cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	key, _, assigned := strings.Cut(word, "=")
	list, how := d.ofContract(cmd, func(r folder.ContractResult) (names []string) {
		for _, f := range r.Contract.RecordFields {
			switch {
			case f.Refused:
			case !assigned:
				names = append(names, f.Name+"=\t"+harmless(f.Meaning))
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
func (d *door) completeSnapshot(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	where := folder.DirRequest{}
	if flag := cmd.Flags().Lookup("instance"); flag != nil {
		where.Instance = flag.Value.String()
	}
	return offered(d, cmd, func(ctx context.Context, p *project.Project) (names []string, err error) {
		got, err := p.Folder.DirHistory(ctx, folder.DirHistoryRequest{DirRequest: where})
		for _, s := range got.Snapshots {
			names = append(names, s.Name+"\t"+harmless(firstLine(s.Task)))
		}
		return names, err
	})
}

// ofContract asks the contract for candidates.
func (d *door) ofContract(cmd *cobra.Command, take func(folder.ContractResult) []string) ([]string, cobra.ShellCompDirective) {
	return offered(d, cmd, func(ctx context.Context, p *project.Project) ([]string, error) {
		got, err := p.Folder.DirContract(ctx, folder.ContractRequest{})
		if err != nil || got.Contract == nil {
			return nil, err
		}
		return take(got), nil
	})
}
