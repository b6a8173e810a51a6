package foreign

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"baton/internal/store/disk"
)

const (
	// noProcess stands for a number larger than any process number.
	noProcess = -1
	// startTolerance is how much later than the lock a process must have started before its number
	// counts as reused. Some file systems round times to two seconds, and a network folder has the
	// clock of its server.
	startTolerance = 3 * time.Second
	// folderLockMost is how much of a state folder's lock file is read, in bytes.
	folderLockMost = 64 << 10
)

// look reads a lock file. In a state folder only the number at the start counts, so a file of any
// length may name its holder.
func (s *System) look(l Lock, path string) (disk.Content, error) {
	if l.Steal == Aside {
		return disk.Read(s.FS, path, disk.Head(folderLockMost), folderLockMost)
	}
	return disk.Read(s.FS, path, disk.Whole, MaxLock)
}

// number returns the number of the process that a lock file names; 0 if it names none.
func (l Lock) number(data []byte) int {
	if l.Steal == Aside {
		return holderNumber(data)
	}
	return processNumber(data)
}

// holderNumber reads the lock file of a state folder (devt.md 5.11). That is a decimal number above
// 0, after optional blanks and before anything else, or a JSON object with a whole number "pid"
// above 0.
func holderNumber(data []byte) int {
	data = bytes.TrimLeftFunc(bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF")), unicode.IsSpace)
	end := 0
	for end < len(data) && data[end] >= '0' && data[end] <= '9' {
		end++
	}
	if end > 0 {
		return processOf(strings.TrimLeft(string(data[:end]), "0"))
	}
	var object map[string]json.RawMessage
	if !bytes.HasPrefix(data, []byte("{")) || json.Unmarshal(data, &object) != nil {
		return 0
	}
	return wholeNumber(string(object["pid"]))
}

// wholeNumber parses a JSON number; 4711.0 and 4.711e3 are whole numbers, too.
func wholeNumber(text string) int {
	if strings.Trim(text, "0123456789") == "" {
		return processOf(text)
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n < 1 || n != math.Trunc(n) {
		return 0
	}
	return processOf(strconv.FormatFloat(n, 'f', -1, 64))
}

func processOf(digits string) int {
	if digits == "" || digits == "0" {
		return 0
	}
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return noProcess
	}
	return int(n)
}

// judgement is what the rules say about a lock file, and why.
type judgement struct {
	stale   bool
	alive   bool   // the process that it names is alive
	command string // of that process
	why     string // one sentence without the name of the file
}

// judge decides whether the lock of a state folder may be taken over (devt.md 5.11). It may be
// taken over at once if nobody can hold it. While its process is alive it may not, however old it
// is.
func (s *System) judge(l Lock, o *owner) judgement {
	late := pick(l.Empty, defaultEmpty)
	switch {
	case o.err != nil:
		return judgement{
			why: "it cannot be read (" + disk.Cause(o.err) + "), so it is not known whether its holder is alive",
		}
	case o.pid == 0 && s.age(o.info) > late:
		return judgement{stale: true, why: fmt.Sprintf("it names no process and is older than %s", late)}
	case o.pid == 0:
		return judgement{why: "it names no process; the program that created it may be about to write its number"}
	case o.pid == noProcess:
		return judgement{stale: true, why: "no process can have the number in it"}
	case strconv.Itoa(o.pid) == s.ownNumber():
		// Only one Update of this process holds the kernel lock: the one that asks.
		why := fmt.Sprintf("a process that has ended left it; its number %d now belongs to this command", o.pid)
		return judgement{stale: true, why: why}
	case !s.Alive(o.pid):
		return judgement{stale: true, why: fmt.Sprintf("process %d no longer exists", o.pid)}
	}
	p := s.Process(o.pid)
	who := processText(o.pid, p.Command)
	switch {
	case p.Ended:
		return judgement{stale: true, command: p.Command, why: who + " has ended"}
	case !p.Started.IsZero() && p.Started.Sub(o.info.ModTime) > startTolerance:
		who += " started after the lock was written, so another process had its number then"
		return judgement{stale: true, command: p.Command, why: who}
	}
	return judgement{alive: true, command: p.Command, why: who + " is alive and holds it"}
}

// processText names a process in a sentence.
func processText(pid int, command string) string {
	if command == "" {
		return fmt.Sprintf("process %d", pid)
	}
	return fmt.Sprintf("process %d (%s)", pid, command)
}
