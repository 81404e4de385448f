package figures

import "image/color"

// modelStyle is how a model is shown: its name, as the paper writes it if it has one, and its color in every
// figure.
type modelStyle struct {
	name  string
	color color.NRGBA
}

// modelStyles are those of all models.
var modelStyles = map[string]modelStyle{
	"egnn": {"EGNN", Purple}, "gat": {"GAT", Orange}, "gcn": {"GCN", Blue}, "gin": {"GIN", Green},
	"nkf": {"NkF", Vermilion}, "nkf-text": {"NkF, text", rgb(0x7A3B0C)}, // a darker vermilion
	"cochain": {"Cochain", Ink}, "cochain-forms": {"Cochain, forms", Olive},
	"cochain-small": {"Cochain, small", Gray}, "gin-tuned": {"GIN, tuned", SkyBlue},
	"path": {"Path", Vermilion}, "path-small": {"Path, one member", Orange},
	"path-large":    {"Path, large", Ink},
	"path-constant": {"Path, constant forms", Purple}, "path-differences": {"Path, no integrals", Gray},
	"cnn": {"CNN", Blue}, "gru": {"GRU", SkyBlue}, "inception": {"Inception", Olive},
	"signature-ridge": {"Signature, ridge", Green},
	"surface":         {"Surface", Vermilion},
}
