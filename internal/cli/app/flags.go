package app

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// NotNegative refuses a negative number.
func NotNegative(cmd *cobra.Command, name string) error {
	flag := cmd.Flags().Lookup(name)
	if flag.Changed && strings.HasPrefix(flag.Value.String(), "-") {
		return Usage(cmd.CommandPath(), "--"+name+" cannot be negative")
	}
	return nil
}

// NotBlank refuses a flag that was given without a text.
func NotBlank(cmd *cobra.Command, names ...string) error {
	for _, name := range names {
		if flag := cmd.Flags().Lookup(name); flag.Changed && strings.TrimSpace(flag.Value.String()) == "" {
			return Usage(cmd.CommandPath(), "--"+name+" is empty")
		}
	}
	return nil
}

// Exclusive refuses flags that contradict each other.
func Exclusive(cmd *cobra.Command, names ...string) error {
	first := ""
	for _, name := range names {
		if !cmd.Flags().Changed(name) {
			continue
		}
		if first != "" {
			return Usage(cmd.CommandPath(), fmt.Sprintf("--%s and --%s cannot be used together", first, name))
		}
		first = name
	}
	return nil
}

// Positive refuses a duration of 0 or less.
func Positive(cmd *cobra.Command, name string) error {
	flag := cmd.Flags().Lookup(name)
	if flag.Changed && (strings.HasPrefix(flag.Value.String(), "-") || flag.Value.String() == "0s") {
		return Usage(cmd.CommandPath(), fmt.Sprintf("--%s must be longer than 0, but %s was given", name, flag.Value))
	}
	return nil
}
