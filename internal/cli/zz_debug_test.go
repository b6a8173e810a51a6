package cli

import (
	"os"
	"os/exec"
	"strconv"
	"testing"
)

func TestZZ(t *testing.T) {
	seed, err := strconv.Atoi(os.Getenv("ZZ"))
	if err != nil {
		t.Skip()
	}
	r := newRepairHistory(t, seed)
	defer func() {
		os.RemoveAll("/dev/shm/zz")
		out, err := exec.Command("cp", "-a", r.dir, "/dev/shm/zz").CombinedOutput()
		t.Log(err, string(out))
	}()
	if os.Getenv("ZZSTOP") != "" {
		zzstop = os.Getenv("ZZSTOP")
	}
	r.play()
}
