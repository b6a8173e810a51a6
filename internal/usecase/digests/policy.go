package digests

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/digest/specflow"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/workspace"
	"baton/internal/workspace/planning"
)

// specflowPolicy applies SpecFlow's own settings below baton's. The byte limit of the environment
// overrides everything; .specflow/config.json counts where baton's configuration sets nothing.
// Settings that cannot be read are ignored.
func (p Digests) specflowPolicy(s *decision.Settings) {
	own, _, _ := p.specflowConfig()
	c := p.Settings()
	if own.MaxBytes > 0 && !c.Given("state.max_bytes") {
		s.MaxBytes = own.MaxBytes
	}
	if own.CellCap > 0 {
		s.CellCap = own.CellCap
	}
	if own.Keep != nil && !c.Given("decisions.keep") && !c.Given("decisions.tolerate") {
		s.Keep, s.Tolerate = *own.Keep, *own.Keep
	}
	if n, ok := positiveNumber(p.Env.Getenv(BytesVariable)); ok {
		s.MaxBytes = n
	}
}

// BytesVariable is SpecFlow's own variable for the byte limit.
const BytesVariable = "SF_STATE_MAX_BYTES"

// SpecflowConfigName is the slash path of SpecFlow's configuration below the root.
const SpecflowConfigName = ".specflow/config.json"

// specflowConfig reads SpecFlow's configuration. A missing file is an empty configuration.
func (p Digests) specflowConfig() (c specflow.Config, wrong []string, err error) {
	data := planning.ReadFile(
		filepath.Join(p.Root, filepath.FromSlash(SpecflowConfigName)), planning.MostConfig,
	)
	if data == nil {
		return c, nil, nil
	}
	return specflow.ReadConfig(data)
}

// positiveNumber reads a number above 0.
func positiveNumber(text string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	return n, err == nil && n > 0
}

// policyFindings reports settings of other programs that cannot be read, because they have no
// effect.
func (p Digests) policyFindings(place workspace.DigestPlace) []report.Finding {
	if place.Layout != workspace.LayoutSpecflow {
		return nil
	}
	var out []report.Finding
	switch _, wrong, err := p.specflowConfig(); {
	case err != nil:
		out = append(out, report.CodeConfigInvalid.Finding(SpecflowConfigName, 0,
			SpecflowConfigName+" cannot be read, so none of its limits apply: "+safetext.Line(err.Error())))
	case len(wrong) > 0:
		out = append(out, report.CodeConfigInvalid.Finding(SpecflowConfigName, 0,
			SpecflowConfigName+" has values that are no whole numbers and do not apply: "+strings.Join(wrong, ", ")))
	}
	if text := p.Env.Getenv(BytesVariable); text != "" {
		if _, ok := positiveNumber(text); !ok {
			out = append(out, report.CodeConfigInvalid.Finding("", 0,
				BytesVariable+" is not a number of bytes: "+safetext.Quote(text)))
		}
	}
	return out
}

// directionName is the cache that stores whether a list of decisions is oldest or newest first, for
// times when its dates do not show it (SF-D36).
const directionName = "specflow.json"

type directionBook struct {
	Direction decision.Direction `json:"decisions_direction"`
}

func (p Digests) rememberedDirection(place workspace.DigestPlace) decision.Direction {
	if place.Layout != workspace.LayoutSpecflow {
		return ""
	}
	var book directionBook
	if data, err := p.Store.ReadCache(directionName); err == nil {
		_ = json.Unmarshal(data, &book)
	}
	if book.Direction != decision.OldestFirst && book.Direction != decision.NewestFirst {
		return ""
	}
	return book.Direction
}

// rememberDirection stores the direction that the dates showed. It is only a cache, so failures are
// ignored.
func (p Digests) rememberDirection(place workspace.DigestPlace, r decision.Result) {
	if place.Layout != workspace.LayoutSpecflow || r.Direction == "" || r.Direction == p.rememberedDirection(place) {
		return
	}
	if r.DirectionSource != "dates" && r.DirectionSource != "archive" {
		return
	}
	if data, err := workspace.Encoded(directionBook{r.Direction}, ""); err == nil {
		_ = p.Store.WriteCache(directionName, data)
	}
}
