package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/report"
)

// FileOperand names a file that is an operand and not the value of a flag.
const FileOperand = "FILE"

// input returns the name of a flag or an operand as a person writes it. Operands have names in
// capitals.
func input(flag string) string {
	if flag == strings.ToUpper(flag) {
		return flag
	}
	return "--" + flag
}

// FlagText returns the value of a flag, read from standard input when it is "-".
func (d *App) FlagText(ctx context.Context, flag, value string) (string, error) {
	if value != "-" {
		return value, nil
	}
	data, err := d.standardInput(ctx, flag)
	return strings.TrimRight(string(data), "\r\n"), err
}

// TextOrFile returns a text, which "-" reads from standard input and "@FILE" from a file. A text
// that begins with @ is written with two of them.
func (d *App) TextOrFile(ctx context.Context, name, value string) (string, error) {
	switch {
	case strings.HasPrefix(value, "@@"):
		return value[1:], nil
	case len(value) < 2 || value[0] != '@':
		return d.FlagText(ctx, name, value)
	}
	data, err := d.File(ctx, name, value[1:])
	if report.KindOf(err) == report.Usage {
		return "", Misuse(err.Error(), "@FILE reads the text from a file; if the text begins with @, write @@")
	}
	return strings.TrimRight(string(data), "\r\n"), err
}

// RequiredText is TextOrFile for a text that must not be blank.
func (d *App) RequiredText(cmd *cobra.Command, name, value string) (string, error) {
	text, err := d.TextOrFile(cmd.Context(), name, value)
	if err == nil && strings.TrimSpace(text) == "" {
		err = Usage(cmd.CommandPath(), input(name)+" is empty")
	}
	return text, err
}

// File returns the bytes of the file that a flag names; "-" is standard input. A relative path
// starts in the folder of -C.
func (d *App) File(ctx context.Context, flag, name string) ([]byte, error) {
	if name == "-" {
		return d.standardInput(ctx, flag)
	}
	data, err := readLimited(d.path(name))
	switch {
	case err == nil:
		return data, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, Misuse(
			fmt.Sprintf("%s %s: there is no such file", input(flag), name),
			"a relative path starts in the current folder, or in DIR with -C DIR; - reads standard input",
		)
	case errors.Is(err, errDirectory):
		return nil, Misuse(
			fmt.Sprintf("%s %s is a folder, not a file", input(flag), name), "give a file, or - for standard input",
		)
	case errors.Is(err, errTooLarge):
		return nil, tooLarge(flag, name)
	}
	return nil, &report.Error{
		Kind: report.Refused, Code: report.CodeFileRefused, Err: err,
		Message: fmt.Sprintf("%s %s cannot be read: %v", input(flag), name, errors.Unwrap(err)),
		Hint:    "check the file's permissions",
	}
}

var (
	errDirectory = errors.New("is a folder")
	errTooLarge  = errors.New("is too large")
)

func readLimited(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, errDirectory
	}
	if info.Size() > report.MostBytes {
		return nil, errTooLarge
	}
	return limited(f)
}

func limited(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, report.MostBytes+1))
	if err == nil && len(data) > report.MostBytes {
		err = errTooLarge
	}
	return data, err
}

func tooLarge(flag, name string) error {
	return &report.Error{
		Kind: report.Corrupt, Code: report.CodeTooLarge,
		Message: fmt.Sprintf("%s %s is larger than 64 MiB", input(flag), name),
		Hint:    "shorten the text: sessions have to read it",
	}
}

// standardInput reads all of standard input, once. It refuses a terminal: baton never prompts, and
// waiting silently would look like a prompt.
func (d *App) standardInput(ctx context.Context, flag string) ([]byte, error) {
	if d.stdinFor != "" {
		return nil, Misuse(
			fmt.Sprintf("%s - and %s - cannot both read standard input", input(d.stdinFor), input(flag)),
			"give one of them as a text or a file",
		)
	}
	d.stdinFor = flag
	if d.Env.Prompt {
		return nil, Misuse(
			fmt.Sprintf("%s - reads standard input, but that is a terminal", input(flag)),
			"pipe the text in, or give a file",
		)
	}
	type taken struct {
		data []byte
		err  error
	}
	// The reader outlives a cancelled command only until the process ends: a read from a pipe
	// cannot be cancelled.
	done := make(chan taken, 1)
	go func() {
		data, err := limited(d.Env.Stdin)
		done <- taken{data, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case in := <-done:
		if errors.Is(in.err, errTooLarge) {
			return nil, tooLarge(flag, "-")
		}
		if in.err != nil {
			return nil, &report.Error{
				Kind: report.Refused, Code: report.CodeFileRefused,
				Message: "cannot read standard input: " + in.err.Error(),
				Err:     in.err,
			}
		}
		return in.data, nil
	}
}
