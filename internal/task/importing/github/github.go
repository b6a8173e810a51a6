// Package github reads what "gh issue list --json …" prints.
package github

import (
	"encoding/json"
	"net/url"
	"strings"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/importing"
)

// Is reports whether the first object of a list is an issue.
func Is(obj task.Object, list bool) bool {
	_, number := obj["number"]
	_, kind := obj["issue_type"]
	return list && number && !kind
}

// names has what fields of an issue are called in the report.
var names = map[string]string{
	"assignees": "assignees", "author": "authors", "comments": "comments", "closedAt": "time stamps",
	"createdAt": "time stamps", "updatedAt": "time stamps", "reactionGroups": "reactions",
	"projectCards": "projects", "projectItems": "projects", "isPinned": "pins", "stateReason": "reasons of states",
	"closedByPullRequestsReferences": "pull requests", "issueType": "types", "subIssues": "lists of sub-issues",
}

// Parse reads a list of issues. A milestone is an epic. Boxes of a body are criteria. Errors: Usage
// json_invalid and value_invalid.
func Parse(data []byte) (*importing.List, error) {
	objects, err := importing.Objects(data)
	if err != nil {
		return nil, err
	}
	list := &importing.List{Format: "github", Prefix: "gh:"}
	for i, obj := range objects {
		it, err := issue(list, obj, i+1)
		if err != nil {
			return nil, err
		}
		list.Add(it)
	}
	return list, nil
}

// issue reads one issue. n is its place in the list.
func issue(list *importing.List, obj task.Object, n int) (importing.Item, error) {
	var it importing.Item
	f := importing.NewFields(obj, importing.Nth("issue", n))
	number, address := f.Text("number"), f.Text("url")
	repo := repoOf(address)
	if f.Err == nil && (number == "" || strings.Trim(number, "0123456789") != "") {
		f.Err = importing.Wrong(report.CodeValueInvalid, f.Place+` has no "number"`, how)
	}
	if f.Err == nil && repo == "" {
		f.Err = importing.Wrong(report.CodeValueInvalid,
			f.Place+` has no "url" that says of which repository it is`, how)
	}
	if f.Err != nil {
		return it, f.Err
	}
	f.Place = "issue #" + number
	it.Place, it.Key, it.Title = f.Place, repo+"#"+number, f.Text("title")
	body, criteria, ticked := importing.Body(f.Text("body"))
	it.Requirements, it.Criteria = body, criteria
	if strings.EqualFold(f.Text("state"), "closed") || string(obj["closed"]) == "true" {
		it.State = importing.Done
	}
	f.Known("closed", "id")
	if milestone := f.Object("milestone"); milestone != nil {
		it.EpicTitle = importing.NewFields(milestone, f.Place).Text("title")
	}
	for _, label := range f.Objects("labels") {
		name := importing.NewFields(label, f.Place).Text("name")
		if p := priority(name); p != "" {
			it.Priority = p
		} else if name != "" && it.State == importing.Open {
			list.Lose("labels", 1)
		}
	}
	it.After = linked(obj["blockedBy"], repo)
	if parent := f.Object("parent"); parent != nil {
		it.Parent = keyOf(parent, repo)
	}
	f.Known("blocking", "subIssuesSummary", "blockedBy")
	if it.State == importing.Open {
		list.Lose("ticks of criteria", ticked)
		f.Rest(list, names)
	}
	return it, f.Err
}

const how = "export with: gh issue list --json number,title,body,labels,milestone,state,url"

// linked returns the keys of the issues in a list, which may be in an object as its nodes.
func linked(raw json.RawMessage, repo string) []string {
	var list []task.Object
	if len(raw) > 0 && json.Unmarshal(raw, &list) != nil {
		var pages struct {
			Nodes []task.Object `json:"nodes"`
		}
		_ = json.Unmarshal(raw, &pages) // anything else links nothing
		list = pages.Nodes
	}
	var keys []string
	for _, one := range list {
		if f := importing.NewFields(one, ""); !strings.EqualFold(f.Text("state"), "closed") {
			keys = append(keys, keyOf(one, repo))
		}
	}
	return keys
}

// keyOf returns the key of an issue that another one names. It is in the same repository unless
// its address says otherwise.
func keyOf(obj task.Object, repo string) string {
	f := importing.NewFields(obj, "")
	if other := repoOf(f.Text("url")); other != "" {
		repo = other
	}
	return repo + "#" + f.Text("number")
}

// repoOf returns "owner/name" for the address of an issue, or "".
func repoOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	if len(parts) != 4 || parts[0] == "" || parts[1] == "" || parts[2] != "issues" && parts[2] != "pull" {
		return ""
	}
	return parts[0] + "/" + parts[1]
}

// priority returns the priority that a label names, such as "P1", "priority: high" or "high
// priority", or "".
func priority(label string) task.Priority {
	word := strings.ToLower(strings.TrimSpace(label))
	rest, ok := strings.CutPrefix(word, "priority")
	if !ok {
		rest, ok = strings.CutSuffix(word, "priority")
	}
	if rest = strings.Trim(rest, " :/-_"); !ok && (len(word) != 2 || word[0] != 'p') {
		return ""
	}
	return importing.Priority(rest)
}
