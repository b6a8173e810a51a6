// Package convert writes a task file in another dialect.
package convert
