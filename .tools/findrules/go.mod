module github.com/neuralkforms/nkf/tools/findrules

go 1.26.5

require (
	github.com/neuralkforms/nkf v0.2.0
	gonum.org/v1/gonum v0.17.0
)

replace github.com/neuralkforms/nkf => ../..
