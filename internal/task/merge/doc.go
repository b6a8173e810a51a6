// Package merge makes one task file of three versions, and one archive of two.
package merge
