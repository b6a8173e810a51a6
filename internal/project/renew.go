package project

import (
	"context"
	"encoding/json"
	"path/filepath"
	"time"

	"baton/internal/task"
)

// renewalRecord extends one claim. It is a cache: not synced, a torn one is ignored, and it counts only while the
// claim has the same fencing number.
type renewalRecord struct {
	Fence int64  `json:"fence"`
	Until string `json:"until"`
}

// renewalName begins with a word of its own: an id alone may be a name that Windows keeps for a device.
func (p *Project) renewalName(id task.ID) string {
	return p.prefix + "renewals/task-" + string(id) + ".json"
}

// sharedPath is a document of the shared folder as messages name it.
func (p *Project) sharedPath(name string) string {
	return filepath.Join(p.shared.Runtime(), filepath.FromSlash(p.prefix+name))
}

// renewal gives the time to which a claim was extended.
func (p *Project) renewal(id task.ID, fence int64) (string, bool) {
	data, err := p.shared.ReadSwapped(p.renewalName(id))
	if err != nil || len(data) == 0 {
		return "", false
	}
	var r renewalRecord
	if json.Unmarshal(data, &r) != nil || r.Fence != fence || parseStamp(r.Until).IsZero() {
		return "", false
	}
	return r.Until, true
}

// renew extends the caller's own claim on a task after a write: every write of the holder does (D3). It also notes
// the task as the holder's active one (D24). Nothing that goes wrong here matters to the write that is done.
func (p *Project) renew(ctx context.Context, id task.ID) { p.setActive(id, p.extend(ctx, id)) }

// extend extends the caller's own claim on a task and gives its fence, 0 when the claim is not the caller's or cannot be read.
func (p *Project) extend(ctx context.Context, id task.ID) int64 {
	book, err := p.readBook(ctx, p.shared)
	if err != nil {
		return 0
	}
	c, _ := book.live(id, p.now())
	if c.By != p.holder() {
		return 0
	}
	lease, err := time.ParseDuration(c.Lease)
	if err != nil || lease <= 0 {
		lease = p.config().lease()
	}
	if until := stamp(p.now().Add(lease)); until > c.Until {
		if data, err := encoded(renewalRecord{Fence: c.Fence, Until: until}, ""); err == nil {
			_ = p.shared.SwapCache(p.renewalName(id), data)
		}
	}
	return c.Fence
}

// forgetRenewals removes the renewals of claims that ended; fencing numbers make one that is left harmless.
func (p *Project) forgetRenewals(before, after *claimBook) {
	for id := range before.Claims {
		if _, ok := after.Claims[id]; !ok {
			_ = p.shared.RemoveCache(p.renewalName(id))
		}
	}
}
