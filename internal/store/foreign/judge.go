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
	// noProcess stands for a number that no process can have: it is larger than any system gives.
	noProcess = -1
	// startTolerance is by how much a process must have begun after a lock was written for its
	// number to count as given away again. Some file systems keep times in steps of two seconds,
	// and a network folder has the clock of its server.
	startTolerance = 3 * time.Second
	// folderLockMost bounds what is read of the lock file of a state folder, in bytes.
	folderLockMost = 64 << 10
)

// look reads a lock file. In the state folder whatever follows the number does not count, so that
// a file of any length may name its holder.
func (s *System) look(l Lock, path string) (disk.Content, error) {
	if l.Steal == Aside {
		return disk.Read(s.FS, path, disk.Head(folderLockMost), folderLockMost)
	}
	return disk.Read(s.FS, path, disk.Whole, MaxLock)
}

// number reads whose a lock file is; 0 when it does not tell.
func (l Lock) number(data []byte) int {
	if l.Steal == Aside {
		return holderNumber(data)
	}
	return processNumber(data)
}

// holderNumber reads the lock file of the state folder (devt.md 5.11): a decimal number above 0,
// with blanks before it and anything after it, or a JSON object with a whole number "pid" above
// 0.
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

// wholeNumber reads a JSON number; 4711.0 and 4.711e3 are whole numbers as well.
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

// judgement is what the rules say of a lock file, and why.
type judgement struct {
	stale   bool
	alive   bool   // the process that it names lives
	command string // of that process
	why     string // one sentence without the name of the file
}

// judge decides whether the lock of a state folder may be taken over (devt.md 5.11): at once when
// nobody can hold it, and never while its process lives, however old it is.
func (s *System) judge(l Lock, o *owner) judgement {
	late := pick(l.Empty, defaultEmpty)
	switch {
	case o.err != nil:
		return judgement{
			why: "it cannot be read (" + disk.Cause(o.err) + "), so that nobody knows whether its holder lives",
		}
	case o.pid == 0 && s.age(o.info) > late:
		return judgement{stale: true, why: fmt.Sprintf("it names no process and is older than %s", late)}
	case o.pid == 0:
		return judgement{why: "it names no process; anyone who made it may be about to write its number"}
	case o.pid == noProcess:
		return judgement{stale: true, why: "no process can have the number in it"}
	case strconv.Itoa(o.pid) == s.ownNumber():
		// Of the Updates in this process only one has the kernel lock, and that one asks.
		why := fmt.Sprintf("a process that ended left it; its number %d is that of this command now", o.pid)
		return judgement{stale: true, why: why}
	case !s.Alive(o.pid):
		return judgement{stale: true, why: fmt.Sprintf("process %d does not exist any more", o.pid)}
	}
	p := s.Process(o.pid)
	who := processText(o.pid, p.Command)
	switch {
	case p.Ended:
		return judgement{stale: true, command: p.Command, why: who + " has ended"}
	case !p.Started.IsZero() && p.Started.Sub(o.info.ModTime) > startTolerance:
		who += " began after the lock was written, so that another process had its number then"
		return judgement{stale: true, command: p.Command, why: who}
	}
	return judgement{alive: true, command: p.Command, why: who + " holds it and lives"}
}

// processText names a process in a sentence.
func processText(pid int, command string) string {
	if command == "" {
		return fmt.Sprintf("process %d", pid)
	}
	return fmt.Sprintf("process %d (%s)", pid, command)
}
