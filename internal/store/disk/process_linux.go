package disk

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// ProcessTable returns a function that looks up a process. Process numbers are only unique within
// one container and one run of the system, so both are part of a StartID.
func ProcessTable() func(pid int) ProcessInfo {
	place := ""
	return func(pid int) ProcessInfo {
		raw, err := readProc("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil {
			// A process that /proc hides from us still exists.
			return ProcessInfo{Exists: pid > 0 && (!errors.Is(err, fs.ErrNotExist) || ProcessExists(pid))}
		}
		name, fields, ok := statFields(raw)
		if !ok {
			return ProcessInfo{Exists: true}
		}
		if place == "" {
			place = placeOfProcesses()
		}
		k := ProcessInfo{Exists: !hasEnded(fields), Name: name}
		k.Args = func() []string { return processArgs(pid) }
		k.Parent, _ = strconv.Atoi(string(fields[statParent]))
		if place != "" {
			k.StartID = place + "/" + string(fields[statStart])
		}
		return k
	}
}

// processArgs returns the command line of a process.
func processArgs(pid int) []string {
	line, err := readProc("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimRight(string(line), "\x00"), "\x00")
}

// readProc reads a short file of the system. os.ReadFile needs three times as many calls, and the
// start of a session looks at a dozen processes.
func readProc(name string) ([]byte, error) {
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	data := make([]byte, 4096)
	n, err := unix.Read(fd, data)
	if err != nil {
		return nil, err
	}
	return data[:n], nil
}

// placeOfProcesses identifies this run of the system and the container; "" if either is unknown.
func placeOfProcesses() string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	id := strings.TrimSpace(string(boot))
	return id[:min(8, len(id))] + "-" + strings.Trim(space, "pid:[]")
}
