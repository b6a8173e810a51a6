// Package folder holds the commands about the working folder of agents, .devt/state or .baton/work.
package folder
