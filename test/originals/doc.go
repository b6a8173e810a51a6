// Package originals plays the programs that baton works beside, GSD, SpecFlow and devt, and baton
// itself in one folder. A step of the original follows a step of baton, and in between a person
// edits by hand. After each step, both must read the same position, status, progress, decisions and
// record, and no entry may be gone. Where they differ, the table of exceptions names the finding or
// decision that says so.
//
// The tests have the tag originals; `make originals` fetches GSD's packages and runs them. SpecFlow
// and devt are in no registry: BATON_ORIGINALS names a folder with checkouts, specflow/ and devt/.
// BATON_ALTERNATIONS says how many alternations are played for each, BATON_SEED which.
package originals
