package app

import (
	"strconv"
)

// color decides whether pages are coloured: --no-color and NO_COLOR turn it off, FORCE_COLOR and
// CLICOLOR_FORCE on, TERM=dumb off again; otherwise a terminal gets colour and a pipe does not.
func (d *App) color() bool {
	env := d.Env.Getenv
	switch {
	case d.NoColor, env("NO_COLOR") != "":
		return false
	case forced(env("FORCE_COLOR")), forced(env("CLICOLOR_FORCE")):
		return true
	case env("TERM") == "dumb":
		return false
	}
	return d.Env.Terminal
}

// forced reads a variable that switches on with anything but 0 and false.
func forced(value string) bool {
	return value != "" && value != "0" && value != "false"
}

// width gives the columns to write for; 0 means that lines are neither broken nor cut, because a
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
