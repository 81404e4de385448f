package synthetic_test

import (
	"fmt"
	"log"

	"github.com/neuralkforms/nkf/datasets/synthetic"
)

// Training and test paths come from one seed and have nothing in common.
func ExamplePaths() {
	paths := synthetic.NewPaths()
	train, err := paths.Sample(100, 1, synthetic.Train)
	if err != nil {
		log.Fatal(err)
	}
	test, err := paths.Sample(20, 1, synthetic.Test)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(train.Len(), test.Len(), train.Classes)
	vertices, edges := train.Count(0, 0), train.Count(1, 0)
	fmt.Println(vertices, edges)
	// Output:
	// 300 60 [rising falling circle]
	// 50 49
}

func ExampleCircles() {
	points, err := synthetic.Circles{Points: 5, Ratio: 0.5}.Sample(1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f\n", points)
	// Output:
	// [1.0 0.0 -1.0 0.0 0.5 0.0 -0.2 0.4 -0.3 -0.4]
}
