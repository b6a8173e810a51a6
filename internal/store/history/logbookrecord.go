package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"baton/internal/store"
)

// A record is one line of JSON that ends with its checksum: the SHA-256 of the line with an empty
// checksum (D37). It covers the checksum of the record before. So changing, removing or moving a
// record leaves a trace, unless all later records are rewritten.
const (
	sumField   = `"sum":"`
	recordEnd  = "\"}\n" // after the checksum
	sumDigits  = 2 * sha256.Size
	mostDocs   = 4000    // documents that a record lists at most; nobody misses the others when they are gone
	mostClaims = 200     // changes of claims that a record lists at most
	mostRecord = 1 << 20 // the longest record, in bytes
)

// line returns the record as a line, with its checksum.
func (c *Change) line() ([]byte, error) {
	c.list(mostDocs)
	for {
		c.Sum = ""
		raw, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		if len(raw)+sumDigits < mostRecord {
			c.Sum = store.HashOf(raw)
			return slices.Concat(raw[:len(raw)-2], []byte(c.Sum), []byte(recordEnd)), nil
		}
		c.list(min(len(c.Docs)-1, len(c.Docs)*(mostRecord-sumDigits)/len(raw))) // names may be long
	}
}

// list keeps at most that many documents, and only counts the others.
func (c *Change) list(most int) {
	if beyond := len(c.Docs) - most; beyond > 0 {
		c.Docs, c.More = c.Docs[:most], c.More+beyond
	}
}

// legible is the condition of a line of the log.
type legible int

const (
	recordGood legible = iota
	// recordTorn: a power cut left the line. Some file systems keep the new length of a file, but
	// not all of its bytes.
	recordTorn
	recordAltered
)

// parseChange parses a line of line, without its terminator.
func parseChange(line []byte) (c Change, is legible) {
	if _, sealed := seal(line); !sealed || json.Unmarshal(line, &c) != nil || !c.possible() {
		return Change{}, unsound(line)
	}
	return c, recordGood
}

// seal returns the checksum at the end of a line, and whether it is right.
func seal(line []byte) (string, bool) {
	body, ok := bytes.CutSuffix(line, []byte(`"}`))
	if !ok || len(body) < sumDigits {
		return "", false
	}
	said, body := string(body[len(body)-sumDigits:]), body[:len(body)-sumDigits]
	return said, bytes.HasSuffix(body, []byte(sumField)) && digest(body, []byte(`"}`)) == said
}

// lastLink returns the number and checksum of a record without parsing the rest; ok is false if the
// record is not good.
func lastLink(line []byte) (seq int64, sum string, ok bool) {
	if sum, ok = seal(line); !ok {
		return 0, "", false
	}
	digits, _, _ := bytes.Cut(bytes.TrimPrefix(line, []byte(`{"seq":`)), []byte{','})
	seq, err := strconv.ParseInt(string(digits), 10, 64)
	return seq, sum, err == nil && seq > 0 && seq < math.MaxInt64
}

// unsound tells a line that a crash damaged from one that somebody edited.
func unsound(line []byte) legible {
	if bytes.IndexByte(line, 0) >= 0 {
		return recordTorn
	}
	return recordAltered
}

func digest(parts ...[]byte) string {
	h := sha256.New()
	for _, part := range parts {
		h.Write(part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// possible reports whether a commit could have written the record, because a repository may hold a
// made-up log.
func (c *Change) possible() bool {
	if c.Seq < 1 || len(c.Docs) > mostDocs || len(c.Claims) > mostClaims ||
		min(c.More, c.Moved, c.Accepted) < 0 || c.Undoes < 0 || c.Undoes >= c.Seq {
		return false
	}
	for i := range c.Docs {
		d := &c.Docs[i]
		if store.CheckName(d.Name) != nil || !d.Before.possible() || !d.After.possible() || d.Missing < 0 {
			return false
		}
	}
	return true
}

func (d DocSum) possible() bool {
	return d.Size >= 0 && d.Tail >= 0 && d.Tail <= d.Size && (d.Exists || d == DocSum{})
}
