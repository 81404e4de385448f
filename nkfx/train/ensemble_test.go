package train

import (
	"math"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	nkf "github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestEnsembleOfEquals: an ensemble whose members are one network is trained
// as this network is, and predicts what it does.
func TestEnsembleOfEquals(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		one := task(t, cycles(60, false), 5)
		one.Model = by(nkf.Mass, false)
		one.Protocol.Smoothing = 0.1
		all := one
		all.Model = func(scope *model.Scope, b *nkf.Batch) *Node {
			out := one.Model(scope, b)
			return Stack([]*Node{out, out, out}, 0)
		}
		_, want := outcome(t, backend, one)
		_, got := outcome(t, backend, all)
		for i, f := range got {
			require.Equal(t, want[i].Last.Accuracy, f.Last.Accuracy)
			for epoch, h := range f.History {
				// Float32, of which some steps make something more.
				require.InDelta(t, want[i].History[epoch].TrainLoss, h.TrainLoss, 1e-4)
				require.InDelta(t, want[i].History[epoch].ValidationLoss, h.ValidationLoss, 1e-4)
			}
		}
	})
}

// objective computes something on two complexes and a third
// that is padding.
func objective(backend compute.Backend,
	build func(scope *model.Scope, out *Node, batch *nkf.Batch) *Node) []float32 {
	store := model.NewStore()
	for name, value := range map[string]float32{"mean": 0, "deviation": 1} { // of numbers
		must(store.CreateVariable("/targets/"+name, tensors.FromValue([][]float32{{value, value}})))
	}
	got := must(model.CallOnce(backend, store, func(scope *model.Scope, g *Graph) *Node {
		batch := nkf.NewBatch(nkf.Parts{Mask: Const(g, []bool{true, true, false}),
			Labels: Const(g, []int32{1, 0, 0})})
		return build(scope, Const(g, memberLogits), batch)
	}))
	return tensors.MustCopyFlatData[float32](got)
}

// memberLogits are those of two members for three complexes and two classes.
var memberLogits = [][][]float32{{{1, 2}, {0, -1}, {5, 5}}, {{-3, 0}, {2, 0}, {5, -5}}}

// probability returns that of a class by a member.
func probability(member, complex, class int) float64 {
	z := memberLogits[member][complex]
	return 1 / (1 + math.Exp(float64(z[1-class]-z[class])))
}

// TestMembersVote: probabilities are averaged, of classes and of tasks, and
// numbers.
func TestMembersVote(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		vote := func(c *datasets.Collection) []float32 {
			return objective(backend, func(scope *model.Scope, out *Node, _ *nkf.Batch) *Node {
				return Predicted(scope, out, c.Info)
			})
		}
		classes := vote(&datasets.Collection{})
		tasks := vote(&datasets.Collection{Info: datasets.Info{Tasks: []string{"a", "b"}}})
		info := datasets.Info{Tasks: []string{"a", "b"}, Regression: true}
		numbers := vote(&datasets.Collection{Info: info})
		sigmoid := func(z float32) float64 { return 1 / (1 + math.Exp(-float64(z))) }
		for b := range 3 {
			for c := range 2 {
				first, second := memberLogits[0][b][c], memberLogits[1][b][c]
				// Float32.
				mean := (probability(0, b, c) + probability(1, b, c)) / 2
				require.InDelta(t, mean, math.Exp(float64(classes[2*b+c])), 1e-6)
				require.InDelta(t, (sigmoid(first)+sigmoid(second))/2, sigmoid(tasks[2*b+c]), 1e-6)
				require.InDelta(t, (first+second)/2, numbers[2*b+c], 1e-6)
			}
		}
	})
}

// TestSmoothedLoss: the cross-entropy with labels of which a share goes to all
// classes alike, over the complexes and not the padding, of members the mean.
func TestSmoothedLoss(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for _, smoothing := range []float64{0, 0.1, 0.5} {
			e := &trainer{Task: Task{Data: &datasets.Collection{}, Protocol: Protocol{Smoothing: smoothing}}}
			got := objective(backend, func(_ *model.Scope, out *Node, batch *nkf.Batch) *Node {
				first := e.lossOf(Squeeze(SliceAxis(out, 0, AxisElem(0)), 0), batch)
				return Stack([]*Node{first, e.lossOf(Squeeze(SliceAxis(out, 0, AxisElem(1)), 0), batch)}, 0)
			})
			for member := range 2 {
				want := 0.0
				for b, label := range []int{1, 0} {
					for c := range 2 {
						share := smoothing / 2
						if c == label {
							share += 1 - smoothing
						}
						want -= share * math.Log(probability(member, b, c)) / 2
					}
				}
				require.InDelta(t, want, float64(got[member]), 1e-6)
			}
		}
	})
}
