package disk

import (
	"bytes"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"baton/internal/safetext"
)

// LookUpProcess reads /proc. It may hide processes of other users; those count as alive, and
// nothing else is known about them.
func LookUpProcess(pid int) ProcessState {
	dir := "/proc/" + strconv.Itoa(pid)
	raw, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return ProcessState{}
	}
	var p ProcessState
	p.Ended, p.Started = readStat(raw)
	if line, err := os.ReadFile(dir + "/cmdline"); err == nil {
		p.Command = commandText(line)
	}
	if p.Command == "" {
		comm, _ := os.ReadFile(dir + "/comm")
		p.Command = printable(strings.TrimSpace(string(comm)))
	}
	return p
}

// ticks is the number of ticks in a second, the unit of times in /proc, on every system that Go
// supports.
const ticks = 100

// Fields of /proc/PID/stat after the name.
const (
	statState   = 0
	statParent  = 1
	statThreads = 17
	statStart   = 19
)

// statFields splits /proc/PID/stat: "pid (name) state …". The name may hold any byte, brackets and
// blanks included.
func statFields(raw []byte) (name string, fields [][]byte, ok bool) {
	end := bytes.LastIndexByte(raw, ')')
	begin := bytes.IndexByte(raw, '(')
	if begin < 0 || end < begin {
		return "", nil, false
	}
	fields = bytes.Fields(raw[end+1:])
	return string(raw[begin+1 : end]), fields, len(fields) > statStart
}

// hasEnded reports whether the process is a zombie without a thread that could still run.
func hasEnded(fields [][]byte) bool {
	many, _ := strconv.Atoi(string(fields[statThreads]))
	state := fields[statState][0]
	return (state == 'Z' || state == 'X') && many <= 1
}

// readStat reads /proc/PID/stat. A process counts as ended if it is a zombie without a thread that
// could still run.
func readStat(raw []byte) (ended bool, began time.Time) {
	_, fields, ok := statFields(raw)
	if !ok {
		return false, time.Time{}
	}
	ended = hasEnded(fields)
	n, err := strconv.ParseInt(string(fields[statStart]), 10, 64)
	// The start is measured from the start of the system, and so is now by this clock. In some
	// containers, the system's start time in /proc/stat belongs to another clock.
	var up unix.Timespec
	if err != nil || n < 0 || n > 1<<48 || unix.ClockGettime(unix.CLOCK_BOOTTIME, &up) != nil {
		return ended, time.Time{}
	}
	age := time.Duration(up.Nano()) - time.Duration(n)*(time.Second/ticks)
	if age < -time.Second {
		return ended, time.Time{} // it would begin in the future, so the two clocks do not match
	}
	return ended, time.Now().Add(-age)
}

// commandText returns the program of a command line and, for an interpreter, the script. Other
// arguments stay out of messages, because people pass secrets in them.
func commandText(line []byte) string {
	words := strings.Split(string(line), "\x00")
	text := printable(path.Base(words[0]))
	if words[0] == "" {
		return ""
	}
	if len(words) > 1 && strings.ContainsAny(words[1], "./") && !strings.HasPrefix(words[1], "-") {
		text += " " + printable(path.Base(words[1]))
	}
	return text
}

// printable makes a program's name safe for a message.
func printable(name string) string {
	return safetext.Runes(safetext.Visible(name), 40)
}
