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

// A record is one line of JSON that ends with its checksum: the SHA-256 of the line as it reads
// with an empty one (D37). Since it covers the sum of the record before, no record can be changed,
// taken out or moved without a trace, except by rewriting all later ones.
const (
	sumField   = `"sum":"`
	recordEnd  = "\"}\n" // behind the sum
	sumDigits  = 2 * sha256.Size
	mostDocs   = 200     // documents that a record lists
	mostRecord = 1 << 20 // bytes of a record
)

// line finishes a record: it gets its sum.
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
		c.list(len(c.Docs) / 2) // names may be long
	}
}

// list leaves so many documents; of the others only the number is kept.
func (c *Change) list(most int) {
	if beyond := len(c.Docs) - most; beyond > 0 {
		c.Docs, c.More = c.Docs[:most], c.More+beyond
	}
}

// legible says what a line of the log is.
type legible int

const (
	recordGood legible = iota
	// recordTorn is what a power cut left: some file systems know the new length of a file but
	// not all of its bytes.
	recordTorn
	recordAltered
)

// parseChange reads what line wrote, without the line's end.
func parseChange(line []byte) (c Change, is legible) {
	if _, sealed := seal(line); !sealed || json.Unmarshal(line, &c) != nil || !c.possible() {
		return Change{}, unsound(line)
	}
	return c, recordGood
}

// seal returns the sum at the end of a line, and whether it is the line's own.
func seal(line []byte) (string, bool) {
	body, ok := bytes.CutSuffix(line, []byte(`"}`))
	if !ok || len(body) < sumDigits {
		return "", false
	}
	said, body := string(body[len(body)-sumDigits:]), body[:len(body)-sumDigits]
	return said, bytes.HasSuffix(body, []byte(sumField)) && digest(body, []byte(`"}`)) == said
}

// lastLink returns number and sum of a record, without reading what else it holds; not ok where it
// is no good one.
func lastLink(line []byte) (seq int64, sum string, ok bool) {
	if sum, ok = seal(line); !ok {
		return 0, "", false
	}
	digits, _, _ := bytes.Cut(bytes.TrimPrefix(line, []byte(`{"seq":`)), []byte{','})
	seq, err := strconv.ParseInt(string(digits), 10, 64)
	return seq, sum, err == nil && seq > 0 && seq < math.MaxInt64
}

// unsound tells what a crash leaves from what somebody edited.
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

// possible refuses a record that no commit could have written: a repository may hold a made-up log.
func (c *Change) possible() bool {
	if c.Seq < 1 || len(c.Docs) > mostDocs || len(c.Claims) > mostDocs ||
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
