package store

import (
	"fmt"

	"baton/internal/report"
)

// CheckName refuses every name that is not a plain slash path below the root: one that is empty or
// absolute, has an empty, "." or ".." segment, or holds a backslash, a colon, NUL or another
// control character. Violation path_outside (architecture law 11).
func CheckName(name string) error {
	if reason := nameFault(name); reason != "" {
		return &report.Error{
			Kind: report.Violation, Code: report.CodePathOutside, Path: name,
			Message: fmt.Sprintf("the name %q %s", name, reason),
			Hint:    "use a path with slashes that stays below the project's root",
		}
	}
	return nil
}

func nameFault(name string) string {
	if name == "" {
		return "is empty"
	}
	if name[0] == '/' {
		return "is absolute"
	}
	fault, begin := "", 0 // a list of ten thousand names is checked too, so one pass must do
	for i := 0; i <= len(name); i++ {
		if i < len(name) && name[i] != '/' {
			switch c := name[i]; {
			case c < 0x20 || c == 0x7f:
				return "holds a control character"
			case c == '\\':
				return "holds a backslash"
			case c == ':':
				return "holds a colon" // a drive or a second stream on Windows
			}
			continue
		}
		switch segment := name[begin:i]; {
		case fault != "":
		case segment == "":
			fault = "has an empty segment"
		case segment == "." || segment == "..":
			fault = "has a segment " + segment
		}
		begin = i + 1
	}
	return fault
}
