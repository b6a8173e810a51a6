package project

import (
	"encoding/json"
	"path/filepath"
	"strconv"

	"baton/internal/digest/decision"
)

// specflowPolicy lays SpecFlow's own settings under baton's: the environment's byte limit wins over everything, what
// .specflow/config.json says holds where baton's configuration says nothing.
func (p *Project) specflowPolicy(s *decision.Settings) {
	var own struct {
		MaxBytes int  `json:"state_max_bytes"`
		CellCap  int  `json:"state_cell_hard_cap"`
		Keep     *int `json:"state_keep_decisions"`
	}
	path := filepath.Join(p.root, ".specflow", "config.json")
	_ = json.Unmarshal(readFileLimited(path, mostPlanningConfig), &own)
	c := p.config()
	if own.MaxBytes > 0 && !c.given("state.max_bytes") {
		s.MaxBytes = own.MaxBytes
	}
	if own.CellCap > 0 {
		s.CellCap = own.CellCap
	}
	if own.Keep != nil && *own.Keep >= 0 && !c.given("decisions.keep") && !c.given("decisions.tolerate") {
		s.Keep, s.Tolerate = *own.Keep, *own.Keep
	}
	if n, err := strconv.Atoi(p.env.Getenv("SF_STATE_MAX_BYTES")); err == nil && n > 0 {
		s.MaxBytes = n
	}
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
