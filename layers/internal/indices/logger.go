package indices

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// site is what a check belongs to.
type site struct {
	where, array, things string
	count                int
}

// sites are the checks of a graph by the nodes that report them.
type sites struct{}

// log has executors report the node: the first wrong number and its place, or
// -1 throughout.
func (s *site) log(report *Node) {
	known, _ := report.Graph().State(sites{}).(map[NodeId]*site)
	if known == nil {
		known = map[NodeId]*site{}
		report.Graph().AttachState(sites{}, known)
	}
	known[report.Id()] = s
	report.SetLogged(fmt.Sprintf("%s: first number in %s that is none of %d %s, and its place (-1: none)",
		s.where, s.array, s.count, s.things))
}

// Executor is an executor of GoMLX, graph.Exec or model.Exec.
type Executor interface {
	SetNodeLogger(logger LoggerFn)
	GetNodeLogger() LoggerFn
}

// Attach makes an executor panic with an [Error] after a call in which an
// index was out of range: the first one of the graph. Whatever else is logged
// goes to the logger that the executor had. Variables that the call would have
// changed are lost with it.
func Attach(exec Executor) {
	next := exec.GetNodeLogger()
	exec.SetNodeLogger(func(g *Graph, messages []string, values []*tensors.Tensor, nodes []NodeId) {
		known, _ := g.State(sites{}).(map[NodeId]*site)
		var restMessages []string
		var restValues []*tensors.Tensor
		var restNodes []NodeId
		var first *Error
		for i, node := range nodes {
			s := known[node]
			if s == nil {
				restMessages = append(restMessages, messages[i])
				restValues, restNodes = append(restValues, values[i]), append(restNodes, node)
				continue
			}
			report := tensors.MustCopyFlatData[int64](values[i])
			if first != nil || report[1] < 0 {
				continue
			}
			first = &Error{Where: s.where, Array: s.array, Number: report[0],
				Things: s.things, Count: s.count}
			for _, at := range report[1:] {
				first.Entry = append(first.Entry, int(at))
			}
		}
		if next != nil {
			next(g, restMessages, restValues, restNodes)
		}
		if first != nil {
			panic(first)
		}
	})
}
