package report

// Codes about the working folder, its record and its snapshots.
const (
	// a file has a name that the contract does not list
	CodeAdHoc Code = "ad_hoc"
	// the archive of the working folder is a link or a file
	CodeArchiveInvalid Code = "archive_invalid"
	// snapshots have names that sort after new ones, so devt would remove a new one
	CodeArchiveOrder Code = "archive_order"
	// a JSON file begins with a byte-order mark, or is UTF-16
	CodeByteOrderMark Code = "byte_order_mark"
	// names in one folder differ only in upper and lower case
	CodeCaseClash Code = "case_clash"
	// a claim, or a start in the record, is in the future
	CodeClockSkew Code = "clock_skew"
	// contract.yaml is not valid, so nothing in it applies
	CodeContractInvalid Code = "contract_invalid"
	// an age in days is below 0
	CodeDaysInvalid Code = "days_invalid"
	// a field of the record has an old name
	CodeDeprecatedKey Code = "deprecated_key"
	// a JSON file has a key twice
	CodeDuplicateKey Code = "duplicate_key"
	// several entries have that name, or look like it
	CodeEntryAmbiguous Code = "entry_ambiguous"
	// the snapshot has no such entry
	CodeEntryUnknown Code = "entry_unknown"
	// the working folder is a link to something that is not a working folder
	CodeFolderInvalid Code = "folder_invalid"
	// a file was changed at a time in the future
	CodeFutureTime Code = "future_time"
	// a file of an earlier workflow is still there
	CodeInherited Code = "inherited"
	// this is not an id of an instance, or the folder of the instance is a link
	CodeInstanceInvalid Code = "instance_invalid"
	// a file that must be JSON is not
	CodeInvalidJSON Code = "invalid_json"
	// a file has a status that the contract does not allow
	CodeInvalidStatus Code = "invalid_status"
	// a field has a value that is not known
	CodeInvalidValue Code = "invalid_value"
	// this cannot be a key of the record
	CodeKeyInvalid Code = "key_invalid"
	// a line of the record cannot be read and is ignored
	CodeLineUnreadable Code = "line_unreadable"
	// the lock is not stale, because a living process holds it
	CodeLockHeld Code = "lock_held"
	// the lock of the working folder is not a file, so nothing is written there
	CodeLockInvalid Code = "lock_invalid"
	// a lock file was left by a process that has ended
	CodeLockStale Code = "lock_stale"
	// the manifest of a snapshot cannot be used
	CodeManifestInvalid Code = "manifest_invalid"
	// a manifest describes a snapshot that is gone
	CodeManifestOrphaned Code = "manifest_orphaned"
	// a file is missing that the contract or the record asks for
	CodeMissing Code = "missing"
	// a sidecar lacks a recommended field
	CodeMissingRecommendedField Code = "missing_recommended_field"
	// a sidecar lacks a required field
	CodeMissingRequiredField Code = "missing_required_field"
	// a folder has a name that the contract has for a file
	CodeNameOnFolder Code = "name_on_folder"
	// an entry was not restored, because its name is taken
	CodeNameTaken Code = "name_taken"
	// a file lacks the line with its status
	CodeNoStatusLine Code = "no_status_line"
	// a sidecar contains something other than a JSON object
	CodeNotAnObject Code = "not_an_object"
	// the operating system refused to move an entry
	CodeNotMoved Code = "not_moved"
	// a sidecar has no Markdown file, or the other way round
	CodePairIncomplete Code = "pair_incomplete"
	// this is not of the form KEY=VALUE
	CodePairInvalid Code = "pair_invalid"
	// there is no such file or folder
	CodePathUnknown Code = "path_unknown"
	// the workflow ends although agents were started without the guard
	CodeRawDispatches Code = "raw_dispatches"
	// the snapshot keeps its copy of the record, because there already is a record
	CodeRecordKept Code = "record_kept"
	// lines of the record cannot be read and are ignored
	CodeRecordLines Code = "record_lines"
	// the record of the workflow cannot be read
	CodeRecordUnreadable Code = "record_unreadable"
	// there are more snapshots than should be kept
	CodeRingDue Code = "ring_due"
	// there is no such schema
	CodeSchemaUnknown Code = "schema_unknown"
	// two titles have the same slug, or another lane has it
	CodeSlugTaken Code = "slug_taken"
	// several snapshots have names that begin like that
	CodeSnapshotAmbiguous Code = "snapshot_ambiguous"
	// a snapshot does not contain what its manifest says
	CodeSnapshotDiffers Code = "snapshot_differs"
	// the command that made the snapshot was interrupted and cannot be completed
	CodeSnapshotUnfinished Code = "snapshot_unfinished"
	// there is no such snapshot
	CodeSnapshotUnknown Code = "snapshot_unknown"
	// a lock is only removed with --stale
	CodeStaleMissing Code = "stale_missing"
	// a clean-up or a restore was interrupted; the next write finishes it
	CodeSweepPending Code = "sweep_pending"
	// this field of the record cannot be set
	CodeUpdateRefused Code = "update_refused"
	// somebody else is at work on the workflow that the command would end
	CodeWorkflowLive Code = "workflow_live"
	// there is no such type of workflow
	CodeWorkflowTypeUnknown Code = "workflow_type_unknown"
	// a field of the record has a value of the wrong kind
	CodeWrongKind Code = "wrong_kind"
)
