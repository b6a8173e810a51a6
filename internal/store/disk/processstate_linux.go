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

// LookUpProcess asks /proc. A process of somebody else may be hidden there; then nothing is known
// of it, and anyone who may not be asked counts as alive.
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

// ticks is the unit of times in /proc on every system that Go runs on, in 1/s.
const ticks = 100

// Fields of /proc/PID/stat behind the name.
const (
	statState   = 0
	statParent  = 1
	statThreads = 17
	statStart   = 19
)

// statFields takes /proc/PID/stat apart: "pid (name) state …", where the name may hold anything,
// brackets and blanks too.
func statFields(raw []byte) (name string, fields [][]byte, ok bool) {
	end := bytes.LastIndexByte(raw, ')')
	begin := bytes.IndexByte(raw, '(')
	if begin < 0 || end < begin {
		return "", nil, false
	}
	fields = bytes.Fields(raw[end+1:])
	return string(raw[begin+1 : end]), fields, len(fields) > statStart
}

// hasEnded tells a zombie without a thread that could still go on.
func hasEnded(fields [][]byte) bool {
	many, _ := strconv.Atoi(string(fields[statThreads]))
	state := fields[statState][0]
	return (state == 'Z' || state == 'X') && many <= 1
}

// readStat reads /proc/PID/stat. A process counts as ended when it is a zombie without a thread
// that could still go on.
func readStat(raw []byte) (ended bool, began time.Time) {
	_, fields, ok := statFields(raw)
	if !ok {
		return false, time.Time{}
	}
	ended = hasEnded(fields)
	n, err := strconv.ParseInt(string(fields[statStart]), 10, 64)
	// The start is told as time since the system began, and so is now by this clock; the time of
	// day of the system's start, which /proc/stat has, is another one in some containers.
	var up unix.Timespec
	if err != nil || n < 0 || n > 1<<48 || unix.ClockGettime(unix.CLOCK_BOOTTIME, &up) != nil {
		return ended, time.Time{}
	}
	age := time.Duration(up.Nano()) - time.Duration(n)*(time.Second/ticks)
	if age < -time.Second {
		return ended, time.Time{} // it cannot begin later than now: the two clocks do not belong together
	}
	return ended, time.Now().Add(-age)
}

// commandText gives the program of a command line, and for an interpreter what it runs. Arguments
// stay out of messages, because people hand over secrets in them.
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

// printable makes the name of a program fit for a message.
func printable(name string) string {
	return safetext.Runes(safetext.Visible(name), 40)
}
