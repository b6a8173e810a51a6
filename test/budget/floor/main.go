// Command floor does nothing. Its time is the unit for all others. With a folder and a number, it
// replaces a file there and syncs so many times, which is the least that a durable change can cost.
// With a folder and the word look, it looks at every file in it, which is the least that a list can
// cost. With a folder alone, it reads every file in it, one after the other, which is the least
// that a search can cost.
package main

import (
	"os"
	"path/filepath"
	"strconv"
)

func main() {
	if len(os.Args) < 2 {
		return
	}
	dir := os.Args[1]
	if len(os.Args) == 2 {
		readAll(dir)
		return
	}
	if os.Args[2] == "look" {
		lookAtAll(dir)
		return
	}
	fsyncs, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	for i := range fsyncs {
		sync(dir, i)
	}
}

// lookAtAll lists a folder and looks at each file.
func lookAtAll(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		panic(err)
	}
	for _, entry := range entries {
		if _, err := os.Lstat(filepath.Join(dir, entry.Name())); err != nil {
			panic(err)
		}
	}
}

// readAll reads the files of a folder.
func readAll(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		panic(err)
	}
	for _, entry := range entries {
		if _, err := os.ReadFile(filepath.Join(dir, entry.Name())); err != nil {
			panic(err)
		}
	}
}

// sync syncs a file and its folder in turn, as a durable replacement does.
func sync(dir string, i int) {
	if i%2 == 1 {
		folder, err := os.Open(dir)
		if err != nil {
			panic(err)
		}
		defer folder.Close()
		if err := folder.Sync(); err != nil {
			panic(err)
		}
		return
	}
	name := filepath.Join(dir, "floor.tmp")
	file, err := os.Create(name)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	if _, err := file.Write(make([]byte, 10<<10)); err != nil {
		panic(err)
	}
	if err := file.Sync(); err != nil {
		panic(err)
	}
	if err := os.Rename(name, filepath.Join(dir, "floor")); err != nil {
		panic(err)
	}
}
