// Package safety holds the commands that check documents, keep what they held, and bring it back.
package safety
