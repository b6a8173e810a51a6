// Command floor is what a program costs that does nothing: the measure for everything else. With a folder and a
// number it also replaces a file there and forces that many writes to the disk, the price that a durable change cannot
// go below.
package main

import (
	"os"
	"path/filepath"
	"strconv"
)

func main() {
	if len(os.Args) < 3 {
		return
	}
	dir := os.Args[1]
	fsyncs, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	for i := range fsyncs {
		sync(dir, i)
	}
}

// sync forces a file and its folder in turn, as a durable replace does.
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
