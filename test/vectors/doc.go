// Package vectors plays what the original programs were recorded doing, with baton's own commands.
// One table says which command takes the place of which call, or why there is none. The files
// afterwards are compared, and every difference needs a row that names a decision.
package vectors
