package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets/mesh"
)

// mesh returns the commands for triangle meshes.
func (a *app) mesh() *cobra.Command {
	cmd := a.command("info FILE", "Describe a mesh: size, boundary, orientation, topology, area, volume",
		"The file is OFF, OBJ, STL or PLY, plain or packed by gzip. Edges of one triangle are the\n"+
			"boundary; the volume inside of a closed surface follows from Stokes' theorem and is negative\n"+
			"if the triangles are oriented inwards; Betti numbers count components, loops and voids.",
		func(_ context.Context, args []string) error {
			end := a.during("reading "+args[0], readOf(args[0]))
			m, err := mesh.Read(args[0])
			end()
			if err != nil {
				return err
			}
			r := m.Inspect()
			return a.show(r, func(w io.Writer) error { return printMesh(w, args[0], r) })
		})
	cmd.Args = cobra.ExactArgs(1)
	return a.group("mesh", "Look at triangle meshes in OFF, OBJ, STL and PLY files", a.withJSON(cmd))
}

// printMesh writes a report as a table.
func printMesh(w io.Writer, path string, r mesh.Report) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(table, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	row("file", "%s", path)
	row("vertices", "%d%s", r.Vertices, extra(r.Unused, "in no triangle"))
	row("triangles", "%d%s%s%s", r.Triangles, extra(r.Degenerate, "with a vertex twice"),
		extra(r.Flat, "flat"), extra(r.Doubled, "there before"))
	for _, note := range r.Notes {
		row("note", "%s", note)
	}
	row("edges", "%d%s%s", r.Edges, extra(r.Boundary, "of one triangle"),
		extra(r.Branching, "of three or more"))
	row("components", "%d", r.Components)
	yesNo := map[bool]string{true: "yes", false: "no"}
	row("orientable", "%s", yesNo[r.Orientable])
	row("consistently oriented", "%s", yesNo[r.Consistent])
	row("closed", "%s", yesNo[r.Closed])
	row("Euler characteristic", "%d", r.Euler)
	row("Betti numbers", "%d %s, %d %s, %d %s", r.Betti[0], english.PluralWord(r.Betti[0], "component", ""),
		r.Betti[1], english.PluralWord(r.Betti[1], "loop", ""), r.Betti[2],
		english.PluralWord(r.Betti[2], "void", ""))
	row("area", "%.9g about %s", r.Area, point(r.AreaCentroid))
	if r.Closed {
		row("volume", "%.9g about %s", r.Volume, point(r.Centroid))
	} else {
		row("volume", "none: the surface is not closed")
	}
	return table.Flush()
}

// extra returns ", 3 of a kind", or nothing for none.
func extra(count int, kind string) string {
	if count == 0 {
		return ""
	}
	return fmt.Sprintf(", %d %s", count, kind)
}

// point writes coordinates.
func point(x [3]float64) string {
	return strings.NewReplacer("[", "(", "]", ")", " ", ", ").Replace(fmt.Sprintf("%.6g", x))
}
