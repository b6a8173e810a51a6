package project

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/digest/specflow"
	"baton/internal/report"
)

// specflowPolicy lays SpecFlow's own settings under baton's: the environment's byte limit wins over everything, what
// .specflow/config.json says holds where baton's configuration says nothing. What cannot be read counts as not said.
func (p *Project) specflowPolicy(s *decision.Settings) {
	own, _ := p.specflowConfig()
	c := p.config()
	if own.MaxBytes > 0 && !c.given("state.max_bytes") {
		s.MaxBytes = own.MaxBytes
	}
	if own.CellCap > 0 {
		s.CellCap = own.CellCap
	}
	if own.Keep != nil && !c.given("decisions.keep") && !c.given("decisions.tolerate") {
		s.Keep, s.Tolerate = *own.Keep, *own.Keep
	}
	if n, ok := positiveNumber(p.env.Getenv(bytesVariable)); ok {
		s.MaxBytes = n
	}
}

// bytesVariable is SpecFlow's own variable for the byte limit.
const bytesVariable = "SF_STATE_MAX_BYTES"

const specflowConfigName = ".specflow/config.json"

// specflowConfig reads SpecFlow's configuration; one that is not there says nothing.
func (p *Project) specflowConfig() (specflow.Config, error) {
	data := readFileLimited(filepath.Join(p.root, filepath.FromSlash(specflowConfigName)), mostPlanningConfig)
	if data == nil {
		return specflow.Config{}, nil
	}
	c, err := specflow.ReadConfig(data)
	if err != nil {
		return specflow.Config{}, err
	}
	return c, nil
}

// positiveNumber reads a number above 0.
func positiveNumber(text string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	return n, err == nil && n > 0
}

// policyFindings tells of settings of other programs that cannot be read, so that nobody wonders why they do not hold.
func (p *Project) policyFindings(place digestPlace) []report.Finding {
	if place.Layout != layoutSpecflow {
		return nil
	}
	var out []report.Finding
	if _, err := p.specflowConfig(); err != nil {
		out = append(out, report.Finding{
			Code: "config_invalid", Severity: report.Warning, Path: specflowConfigName,
			Text: specflowConfigName + " cannot be read, so none of its limits holds: " + oneLine(neutral(err.Error())),
		})
	}
	if text := p.env.Getenv(bytesVariable); text != "" {
		if _, ok := positiveNumber(text); !ok {
			out = append(out, report.Finding{Code: "config_invalid", Severity: report.Warning, Text: bytesVariable + " is no number of bytes: " + quote(text)})
		}
	}
	return out
}

// directionName is the cache that remembers which way a list of decisions runs while its dates do not tell (SF-D36).
const directionName = "specflow.json"

type directionBook struct {
	Direction decision.Direction `json:"decisions_direction"`
}

func (p *Project) rememberedDirection(place digestPlace) decision.Direction {
	if place.Layout != layoutSpecflow {
		return ""
	}
	var book directionBook
	if data, err := p.store.ReadCache(directionName); err == nil {
		_ = json.Unmarshal(data, &book)
	}
	if book.Direction != decision.OldestFirst && book.Direction != decision.NewestFirst {
		return ""
	}
	return book.Direction
}

// rememberDirection keeps what dates said. It is a cache: a failure is not worth telling.
func (p *Project) rememberDirection(place digestPlace, r decision.Result) {
	if place.Layout != layoutSpecflow || r.Direction == "" || r.Direction == p.rememberedDirection(place) {
		return
	}
	if r.DirectionSource != "dates" && r.DirectionSource != "archive" {
		return
	}
	if data, err := encoded(directionBook{r.Direction}, ""); err == nil {
		_ = p.store.WriteCache(directionName, data)
	}
}
