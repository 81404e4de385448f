package models

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/cochain"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Large is the number of complexes past which a training of a cochain network
// takes larger batches and fewer epochs, and comparisons take one seed: HIV has
// 41,127, all other benchmarks have less than 2,500.
const Large = 10_000

// cochainModel returns a cochain network, which takes kinds of vertices. With option Neighbors it is the
// opponent that is trained as they are and sends sums over neighbors in place of integrals.
func cochainModel(name, help string, config cochain.Config) Model {
	m := network(name, help, config, func(config cochain.Config, in Input) train.Model {
		return func(scope *model.Scope, b *layers.Batch) *Node {
			return cochain.Network(scope, b, config, in.Outputs)
		}
	})
	m.degree = true
	m.features = map[string]string{"graphs": "one-hot", "molecules": "one-hot"}
	m.protocol = func(_ any, n Counts, best string) train.Protocol {
		p := train.Protocol{
			Batch: 32, Epochs: 100, Rate: 3e-3, PlateauFactor: 1, StopPatience: never,
			Cosine: true, Warmup: 0.05, Decay: 1e-2, Clip: 2, Validate: 4, Select: best,
		}
		if n.All > Large {
			p.Batch, p.Epochs, p.Validate = 128, 15, 3
		}
		return p
	}
	return m
}

// never is a patience that outlasts every training.
const never = 1 << 30
