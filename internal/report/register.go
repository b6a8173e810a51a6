package report

// Severity returns how bad a finding with this code is, unless the place that makes it knows
// better (Finding.As). Inlined into every place that makes a finding, it would take 100 KB.
//
//go:noinline
func (c Code) Severity() Severity {
	switch c {
	case CodeAgentsNotImported, CodeArchiveUnsorted, CodeAtLimit, CodeClaimLapsed, CodeCommitsUnknown,
		CodeConsiderSplitting, CodeCriteriaExternal, CodeEntriesTakenBack, CodeManyPauses, CodeMarksIgnored,
		CodeMergeDriverMissing,
		CodeMetadataNotStrict, CodeMissingSection, CodeNoCriteria, CodeNotPaused, CodeNumberNameMismatch,
		CodeOutputChanged, CodeOutputFromLog, CodePartsComplete, CodeProjectBegun, CodeRecordKept,
		CodeRequirementsLong, CodeRingDue, CodeSessionDoubled, CodeSessionNumberDuplicate, CodeSessionNumberGap,
		CodeSessionRenumbered, CodeSessionsLeftOut, CodeStatusMerged, CodeSummaryEdited, CodeUndoClaim,
		CodeUndoConfig, CodeUnfilledTemplate, CodeUnknownStatus, CodeVerifyProposed, CodeWordsPutAside:
		return Info
	case CodeArchiveGone, CodeByteOrderMark, CodeConfigType, CodeConfigUnreadable,
		CodeConflictMarkers, CodeDependencyCycle, CodeInvalidJSON, CodeInvalidStatus, CodeJournalUnreadable,
		CodeLifecycleConflict, CodeMissingRequiredField, CodeNoStatusLine, CodeNotAnObject, CodeNotUTF8, CodeNUL,
		CodeOverBytes, CodeOverLines, CodeTaskDoubled, CodeTruncationScar:
		return Severe
	}
	return Warning
}
