// Package devices runs one program on several devices of a backend, each on its own part of a batch. A
// [Program] runs graphs, [Sum] and [Ratio] reduce over the whole batch in a model or a loss, and [Optimizer]
// averages gradients. On one device they add nothing to a graph.
//
// The objective is the mean of the losses of all devices, and every device holds the same variables. Training
// on D devices therefore agrees with training on one device to rounding, if every quantity that depends on
// the whole batch is a Sum or a Ratio, as in layers.BatchNorm and layers.CrossEntropy. Random numbers, such
// as those of dropout, differ: each device draws its own.
package devices
