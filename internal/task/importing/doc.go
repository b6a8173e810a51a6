// Package importing has what the formats of imported tasks share: a list of items, what else a text
// says that has no place in baton, and the order between the items. Each format is a package below.
package importing
