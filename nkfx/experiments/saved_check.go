package experiments

import (
	"fmt"

	"github.com/neuralkforms/nkf/datasets"
)

// maxPoints bounds the points of the rule of a saved model: memory grows with
// them, and weights do not tell how many there were.
const maxPoints = 1000

// numbers returns how many numbers the weights hold.
func (m *SavedModel) numbers() (n int) {
	for _, w := range m.Weights {
		n += len(w.Data) / 4
	}
	return n
}

// check returns an error for sizes that no weights of this number belong to:
// they could take all memory before the weights are seen not to fit. Every
// model has a layer from Hidden to half as many or more, and weights in each
// of its Layers; a model of forms has a layer from Forms to Hidden.
func (m *SavedModel) check() error {
	n, s := m.numbers(), m.Size
	if s.Hidden < 2 || s.Forms < 1 || s.Points < 2 || s.Layers < 1 ||
		s.Hidden > n || s.Hidden*(s.Hidden/2) > n || s.Forms > n || s.Forms*s.Hidden > n ||
		s.Points > maxPoints || s.Layers > len(m.Weights) || len(m.Classes) > n {
		return fmt.Errorf("sizes %+v and %d classes do not belong to %d weights of %d numbers", s,
			len(m.Classes), len(m.Weights), n)
	}
	return nil
}

// fits returns an error for data with more columns than the first layer of
// the model can have.
func (m *SavedModel) fits(data *datasets.Collection) error {
	if most := m.numbers() / m.Size.Hidden; data.Dim > most {
		return fmt.Errorf("%s has %d features a vertex, but the model of %s takes %d at most: it is another "+
			"kind of data", data.Name, data.Dim, m.Dataset, most)
	}
	return nil
}
