package cleanup

import (
	"bytes"
	"encoding/json"
)

// ManifestHead is the number of bytes of a manifest that Unfinished needs: everything before the
// entries, for tasks of up to 10 KB.
const ManifestHead = 64 << 10

// Unfinished reports from the beginning of a manifest whether its sweep was never completed. It
// returns false for a text that is not a manifest.
func Unfinished(head []byte) bool {
	d := json.NewDecoder(bytes.NewReader(head))
	if first, err := d.Token(); err != nil || first != json.Delim('{') {
		return false
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return false
		}
		value, err := d.Token()
		if _, nested := value.(json.Delim); err != nil || nested {
			return false // the entries come last
		}
		if key == "complete" {
			return value == false
		}
	}
	return false
}
