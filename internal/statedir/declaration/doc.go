// Package declaration is the contract of a state folder. It says which names may be there, who
// writes them, which statuses they have, and what a project adds in its contract.yaml. It
// classifies names, explains them, and checks JSON files.
//
// One declaration is the source of every list. No other code in the program names a file of the
// folder.
package declaration
