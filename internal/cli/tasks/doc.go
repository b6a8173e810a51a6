// Package tasks holds the commands about tasks and the sessions on them.
package tasks
