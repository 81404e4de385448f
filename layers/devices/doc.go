// Package devices runs one program on several devices of a backend, each on data of its own: a [Program] runs
// graphs, [Sum] and [Ratio] are what a model or a loss takes over the whole batch, and [Optimizer] averages
// gradients. All of them build what they always did where there is one device.
//
// The objective is the mean of the losses of all devices, and every device holds the same variables. So
// training on D devices with a part of a batch each is training on one with the whole, to rounding, as long
// as whatever depends on the batch as a whole is a Sum or a Ratio: layers.BatchNorm and layers.CrossEntropy
// do so. Random numbers, as of dropout, are not those of one device: each draws its own.
package devices
