package agentsession

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Brief reads the fields of a record up to "injected", the last of the short ones. The rest
// may be long or cut off. It returns nil if the file does not begin like a record.
func Brief(data []byte) *Record {
	data = data[:min(len(data), BriefBytes)]
	if at := bytes.Index(data, []byte(`,"injected":{`)); at > 0 { // as baton writes it
		end := at + bytes.IndexByte(data[at:], '}') + 1
		if rec := (&Record{}); json.Unmarshal(slices.Concat(data[:end], []byte("}")), rec) == nil &&
			rec.Session != "" {
			return rec
		}
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var short bytes.Buffer
	for dec.More() {
		key, err := dec.Token()
		name, isName := key.(string)
		var value json.RawMessage
		if err != nil || !isName || dec.Decode(&value) != nil {
			return nil
		}
		if short.Len() > 0 {
			short.WriteByte(',')
		}
		quoted, _ := json.Marshal(name) // encoding a string never fails
		short.Write(quoted)
		short.WriteByte(':')
		short.Write(value)
		if name == "injected" {
			break
		}
	}
	rec := &Record{}
	if json.Unmarshal([]byte("{"+short.String()+"}"), rec) != nil || rec.Session == "" {
		return nil
	}
	return rec
}
