// Package create writes new task files and reads the texts from which people and agents create
// them.
package create
