package layers

import (
	"github.com/neuralkforms/nkf/layers/internal/indices"
)

// ReportIndices makes an executor, a graph.Exec or model.Exec, panic after a call in which an index was out
// of range, with a message that names the first one of the graph. It reports whether graphs that are built
// now check their indices: they do while the environment variable NKF_CHECK_INDICES is set to something other
// than 0 or false. Variables that the call would have changed are lost with it. For a trainer of GoMLX:
//
//	trainer.OnExecCreation(func(exec *model.Exec, _ train.GraphType) { layers.ReportIndices(exec) })
//
// An executor without it prints a line for every check. In loops there is no message: a wrong index gives
// NaN.
func ReportIndices(exec indices.Executor) (checked bool) {
	checked = indices.Enabled()
	if checked {
		indices.Attach(exec)
	}
	return checked
}
