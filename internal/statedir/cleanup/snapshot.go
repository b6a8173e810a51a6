package cleanup

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"baton/internal/statedir"
)

// Snapshot is the name of a folder in the archive, taken apart.
type Snapshot struct {
	Name   string
	Sweep  statedir.Sweep // SweepReset for a bare stamp
	Moment time.Time      // UTC
	Suffix int            // 0, or 2, 3, … when the name was taken
}

// A stamp is a moment in UTC in the form YYYY-MM-DDTHH-MM-SS-mmmZ, which every file system takes as
// a name.
const (
	stampSeconds = "2006-01-02T15-04-05"
	stampLength  = len("2006-01-02T15-04-05-000Z")
)

func stamp(moment time.Time) string {
	moment = moment.UTC()
	return fmt.Sprintf("%s-%03dZ", moment.Format(stampSeconds), moment.Nanosecond()/int(time.Millisecond))
}

// ParseSnapshot takes a name apart; false for one without a stamp, which no ring ever touches
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
	if err != nil || stamp(s.Moment) != text { // written back, it shows what time.Parse and Atoi were lenient about
		return Snapshot{}, false
	}
	var ok bool
	s.Suffix, ok = parseSuffix(suffix)
	return s, ok
}

// parseSuffix reads "" or a hyphen with digits.
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

// SnapshotName returns the name of a new snapshot; taken tells whether the archive holds a name
// already. A manifest that lost its snapshot keeps the name occupied, so that it never comes to
// describe other entries.
func SnapshotName(s statedir.Sweep, now time.Time, taken func(string) bool) string {
	base := stamp(now)
	if s != statedir.SweepReset {
		base = string(s) + "-" + base
	}
	name := base
	for n := 2; taken(name) || taken(ManifestName(name)); n++ {
		name = base + "-" + strconv.Itoa(n)
	}
	return name
}

// ManifestName is the name of a snapshot's manifest, beside it, where no swept name can collide
// with it (SD-46).
func ManifestName(snapshot string) string { return snapshot + ".manifest.json" }
