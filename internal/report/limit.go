package report

// MostBytes bounds what baton reads at once: a document, standard input, an answer of git. A text
// that is larger is none that a person keeps by hand.
const MostBytes = 64 << 20
