package app

import (
	"errors"
	"strconv"
)

// ColorMode is what --color says: auto, always or never. "" is auto.
type ColorMode string

// String returns the word.
func (m *ColorMode) String() string { return string(*m) }

// Set takes one of the words.
func (m *ColorMode) Set(word string) error {
	switch word {
	case "auto", "always", "never":
		*m = ColorMode(word)
		return nil
	}
	return errors.New("not one of auto, always and never")
}

// Type names what the flag takes, for messages.
func (*ColorMode) Type() string { return "color" }

// color decides whether pages are coloured. A flag comes first; then NO_COLOR turns colours off,
// FORCE_COLOR and CLICOLOR_FORCE on, TERM=dumb off again; otherwise a terminal gets colours and a
// pipe does not.
func (d *App) color() bool {
	env := d.Env.Getenv
	switch {
	case d.Uncolored():
		return false
	case d.Color == "always":
		return true
	case env("NO_COLOR") != "":
		return false
	case forced(env("FORCE_COLOR")), forced(env("CLICOLOR_FORCE")):
		return true
	case env("TERM") == "dumb":
		return false
	}
	return d.Env.Terminal
}

// Uncolored reports whether a flag turned colours off.
func (d *App) Uncolored() bool { return d.NoColor || d.Color == "never" }

// forced reports whether a variable turns colours on: anything but 0 and false does.
func forced(value string) bool {
	return value != "" && value != "0" && value != "false"
}

// width returns the columns to write for; 0 means that lines are neither broken nor cut, because a
// program may be reading.
func (d *App) width() int {
	if !d.Env.Terminal {
		return 0
	}
	if n, err := strconv.Atoi(d.Env.Getenv("COLUMNS")); err == nil && n > 0 && n < 10_000 {
		return n
	}
	return d.Env.Width
}
