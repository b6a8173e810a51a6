package cleanup

import (
	"bytes"
	"encoding/json"
)

// ManifestHead is how many bytes of a manifest Unfinished wants to see: everything before the
// entries, of any task of 10 KB.
const ManifestHead = 64 << 10

// Unfinished reports, from the beginning of a manifest, whether its sweep was never completed. It
// is false for anything that is not a manifest.
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
			return false // entries come last
		}
		if key == "complete" {
			return value == false
		}
	}
	return false
}
