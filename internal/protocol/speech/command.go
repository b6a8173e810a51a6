package speech

import (
	"slices"
	"strings"
)

// reading is what was read of the arguments of a command.
type reading struct {
	how      spelling
	offered  []string // parameters of the tool
	whole    bool     // no other text follows the command
	operands []string // parameters that are still to come
	parts    []string
	took     int // words of the last argument; 0 if the command has ended, -1 if no tool has it
}

// argument reads the next argument, which the words begin with.
func (r *reading) argument(words []word) {
	flag, isFlag := strings.CutPrefix(words[0].text, "--")
	switch param, known := r.how.flags[flag]; {
	case isFlag && !words[0].quoted:
		value := "true"
		r.took = 1
		switch {
		case flag == "" && known: // the rest is a command line
			texts := make([]string, len(words)-1)
			for i, w := range words[1:] {
				texts[i] = w.text
			}
			value, r.took = strings.Join(texts, " "), len(words)
		case known && !slices.Contains(switches, flag) && len(words) > 1:
			value, r.took = words[1].text, 2
		case !slices.Contains(switches, flag):
			known = false
		}
		if !known {
			r.took = -1
		} else if param != "" {
			r.add(param, value)
		}
	case len(r.operands) > 0 && (r.whole || words[0].isOperand()):
		r.took = 1
		r.add(r.operands[0], words[0].text)
		r.operands = r.operands[1:]
	default:
		r.took = 0
	}
}

// add adds an argument of the call.
func (r *reading) add(param, value string) {
	if param == "run" && !slices.Contains(r.offered, param) { // the server runs no commands
		param, value = "evidence", "TEXT"
	}
	if !slices.Contains(r.offered, param) {
		r.took = -1
	}
	r.parts = append(r.parts, param+": "+value)
}

// word is one word of a command line.
type word struct {
	text   string // without quotes
	quoted bool
	end    int // where it ends
}

// isOperand reports whether a word may be an operand, and not the next word of a sentence: an id, a
// placeholder like TITLE, or a quotation.
func (w word) isOperand() bool {
	return w.quoted || strings.ContainsAny(w.text, "0123456789") || w.text == strings.ToUpper(w.text)
}

// wordsOf returns the words of a command line: all of the text if it is whole, else up to the first
// punctuation mark.
func wordsOf(text string, whole bool) []word {
	var out []word
	for at := 0; at < len(text); {
		if text[at] == ' ' {
			at++
			continue
		}
		if quote := text[at]; quote == '\'' || quote == '"' {
			length := strings.IndexByte(text[at+1:], quote)
			if length < 0 {
				return out
			}
			out = append(out, word{text[at+1 : at+1+length], true, at + length + 2})
			at += length + 2
			continue
		}
		length := strings.IndexAny(text[at:], " \n`")
		if length < 0 {
			length = len(text) - at
		}
		one := text[at : at+length]
		short := strings.TrimRight(one, ";,.:)")
		if whole {
			short = one
		}
		if short != "" {
			out = append(out, word{short, false, at + len(short)})
		}
		if at += length; short != one || at < len(text) && text[at] != ' ' {
			return out
		}
	}
	return out
}
