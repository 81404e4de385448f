package main

import (
	"os"
	"path/filepath"
)

// Of the path (0,0), (1,0), (1,1) the word x.y is ∫dx dy = 1, and y.x is 0.
func Example() {
	folder, err := os.MkdirTemp("", "signatures")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "paths.csv")
	if err := os.WriteFile(file, []byte("id,x,y\na,0,0\na,1,0\na,1,1\n"), 0o600); err != nil {
		panic(err)
	}
	os.Args = []string{"signatures", file, "id", "x", "y"}
	main()
	// Output:
	// path,x,y,x.x,x.y,y.x,y.y,x.x.x,x.x.y,x.y.x,x.y.y,y.x.x,y.x.y,y.y.x,y.y.y
	// a,1,1,0.5,1,0,0.5,0.166666667,0.5,0,0.5,0,0,0,0.166666667
}
