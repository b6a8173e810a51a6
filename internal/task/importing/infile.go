package importing

import "baton/internal/report"

// InFile adds to an error about a list in which file the list is.
func InFile(err error, name string) error {
	e := report.As(err)
	if e == nil || e.Kind != report.Usage && e.Kind != report.Violation && e.Kind != report.NotFound {
		return err
	}
	named := *e
	named.Op = Op
	if named.Path == "" {
		named.Path, named.Message = name, name+" cannot be imported: "+e.Message
	}
	return &named
}
