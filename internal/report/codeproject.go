package report

// Codes about the project, its settings, and the command line.
const (
	// a settings file is not valid, so nothing in it applies
	CodeConfigInvalid Code = "config_invalid"
	// there is no setting of that name
	CodeConfigKey Code = "config_key"
	// a setting has a value that it does not allow
	CodeConfigType Code = "config_type"
	// the settings file cannot be read
	CodeConfigUnreadable Code = "config_unreadable"
	// a file that was named, or standard input, cannot be read
	CodeFileRefused Code = "file_refused"
	// a check found something; the findings say what
	CodeFindings Code = "findings"
	// the project has two layouts for this, and nothing says which one is meant
	CodeLayoutAmbiguous Code = "layout_ambiguous"
	// there is no such layout, or it does not have what the command needs
	CodeLayoutUnknown Code = "layout_unknown"
	// a folder does not exist, or cannot be made
	CodeNoFolder Code = "no_folder"
	// there is no project here, or it does not have what the command needs
	CodeNoProject Code = "no_project"
	// the agent's client asks nobody here, so baton refuses what a person has to allow
	CodeNotAllowedHere Code = "not_allowed_here"
	// a setting of the project's files is not approved on this machine
	CodeNotTrusted Code = "not_trusted"
	// the search found nothing
	CodeNothingFound Code = "nothing_found"
	// there was no project, so the first task made one
	CodeProjectBegun Code = "project_begun"
	// the search has no words
	CodeSearchEmpty Code = "search_empty"
	// there is no such place to search in
	CodeSearchScope Code = "search_scope"
	// there is something other than a folder where the tasks should be
	CodeTasksDirInvalid Code = "tasks_dir_invalid"
	// the folder for tasks does not exist
	CodeTasksDirMissing Code = "tasks_dir_missing"
	// the text is not plain UTF-8, or cannot be stored in the file
	CodeTextInvalid Code = "text_invalid"
	// approvals are not for agents, and need a terminal or --yes
	CodeTrustRefused Code = "trust_refused"
	// baton ignores the file of approvals, or cannot write it
	CodeTrustUnsafe Code = "trust_unsafe"
	// a key that was given is not known
	CodeUnknownKey Code = "unknown_key"
	// something in the user's own configuration is not read
	CodeUserConfig Code = "user_config"
	// a value that was given is not allowed
	CodeValueInvalid Code = "value_invalid"
)
