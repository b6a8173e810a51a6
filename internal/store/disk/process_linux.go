package disk

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// ProcessTable returns a function that looks a process up. Numbers mean something within one
// container of one run of the system only, so that both are part of a StartID.
func ProcessTable() func(pid int) ProcessInfo {
	place := ""
	return func(pid int) ProcessInfo {
		raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil {
			// What is hidden from us exists all the same.
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
		k.Parent, _ = strconv.Atoi(string(fields[statParent]))
		if place != "" {
			k.StartID = place + "/" + string(fields[statStart])
		}
		return k
	}
}

// placeOfProcesses names this run of the system and the container, "" when either is unknown.
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
