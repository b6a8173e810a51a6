package cleanup

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"baton/internal/statedir"
)

// Snapshot is the parsed name of a folder in the archive.
type Snapshot struct {
	Name   string
	Sweep  statedir.Sweep // that the name says; SweepReset if the name is only a stamp
	Moment time.Time      // UTC
	Suffix int            // 0, or 2, 3, … if the name was taken
}

// A stamp is a moment in UTC in the form YYYY-MM-DDTHH-MM-SS-mmmZ, which is a valid name in every
// file system.
const (
	stampSeconds = "2006-01-02T15-04-05"
	stampLength  = len("2006-01-02T15-04-05-000Z")
)

func stamp(moment time.Time) string {
	moment = moment.UTC()
	return fmt.Sprintf("%s-%03dZ", moment.Format(stampSeconds), moment.Nanosecond()/int(time.Millisecond))
}

// ParseSnapshot parses a name. ok is false for a name without a stamp, which no ring ever removes
// (SD-D8).
func ParseSnapshot(name string) (Snapshot, bool) {
	s, rest := Snapshot{Name: name, Sweep: statedir.SweepReset}, name
	for _, kind := range []statedir.Sweep{
		statedir.SweepCleanup, statedir.SweepEvict, statedir.SweepBegin, statedir.SweepPrune, statedir.SweepRestore,
	} {
		if after, ok := strings.CutPrefix(name, string(kind)+"-"); ok {
			s.Sweep, rest = kind, after
		}
	}
	if len(rest) < stampLength {
		return Snapshot{}, false
	}
	text, suffix := rest[:stampLength], rest[stampLength:]
	moment, err := time.Parse(stampSeconds, text[:len(stampSeconds)])
	if err != nil {
		return Snapshot{}, false
	}
	thousandths, err := strconv.Atoi(strings.TrimSuffix(text[len(stampSeconds)+1:], "Z"))
	s.Moment = moment.Add(time.Duration(thousandths) * time.Millisecond)
	if err != nil || stamp(s.Moment) != text { // writing it back detects what time.Parse and Atoi are lenient about
		return Snapshot{}, false
	}
	var ok bool
	s.Suffix, ok = parseSuffix(suffix)
	return s, ok
}

// parseSuffix reads "", or a hyphen followed by digits.
func parseSuffix(text string) (int, bool) {
	if text == "" {
		return 0, true
	}
	digits, hyphen := strings.CutPrefix(text, "-")
	if !hyphen || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil
}

// SnapshotName returns the name of a new snapshot. It is a stamp, as the original tool uses, so
// that all of them sort by time (D48). The manifest says what kind it is. taken reports whether the
// archive already has a name. A manifest without its snapshot also reserves the name, so that it
// never describes other entries.
func SnapshotName(now time.Time, taken func(string) bool) string {
	base := stamp(now)
	name := base
	for n := 2; taken(name) || taken(ManifestName(name)); n++ {
		name = base + "-" + strconv.Itoa(n)
	}
	return name
}

// ManifestName returns the name of a snapshot's manifest. It is next to the snapshot, where no
// moved entry can have the same name (SD-46).
func ManifestName(snapshot string) string { return snapshot + ".manifest.json" }
