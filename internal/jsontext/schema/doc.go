// Package schema checks JSON texts against the subset of JSON Schema (2020-12) that a project may
// use for its own files. A keyword outside the subset is an error, so that no schema promises a
// check that does not happen.
package schema
