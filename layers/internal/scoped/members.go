package scoped

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// Members returns the outputs of networks side by side, [members, ...], each with
// variables of its own in the scope "member_i"; of one network, or none, its output
// alone, with variables in scope.
func Members(scope *model.Scope, members int, network func(scope *model.Scope) *Node) *Node {
	if members <= 1 {
		return network(scope)
	}
	all := make([]*Node, members)
	for i := range all {
		all[i] = network(scope.In("member_%d", i))
	}
	return Stack(all, 0)
}
