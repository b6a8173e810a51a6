// Package create makes new task files, and reads the texts that people and agents make them from.
package create
