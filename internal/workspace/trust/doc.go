// Package trust keeps which settings of a project's files a user approved on this machine (D45). An
// approval is for one setting of one repository with one value and one place. Approvals are in the
// file trust in baton's folder of the user's configuration, where no clone brings them.
package trust
