package series

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/published"
)

// gpxOf is a GPX file of a track that goes east from a longitude.
func gpxOf(name string, lon int) string {
	return fmt.Sprintf("<gpx>\n<trk>%s\n<trkpt lat='1' lon='%d'/>\n<trkpt lat='1' lon='%d'/>\n</trk></gpx>",
		name, lon, lon+1)
}

// put writes files, by name, into a folder.
func put(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
}

// folders returns a folder of tracks in folders of their classes, beside files that are none.
func folders(t *testing.T) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "tours")
	put(t, root, map[string]string{
		"walk/a.gpx":               gpxOf("<name>one</name>", 10),
		"walk/deep/b.GPX":          gpxOf("", 20),
		"bike/a.geojson":           `{"type": "LineString", "coordinates": [[30, 1], [31, 1]]}`,
		"bike/c.json":              `{"type": "LineString", "coordinates": [[40, 1], [41, 1]]}`,
		"bike/photo.jpg":           "no track",
		"bike/._a.gpx":             "nor this",
		".trash/d.gpx":             "nor this",
		"bike/.hidden/e.gpx":       "nor this",
		"bike/folder.gpx/note.txt": "nor this",
	})
	return root
}

// starts returns the first longitude of every path.
func starts(s *Set) (lon []float64) {
	for g := range s.Len() {
		lon = append(lon, s.Points(g)[0])
	}
	return lon
}

func TestFolders(t *testing.T) {
	root := folders(t)
	columns := Columns{Folders: true}
	whole := must(OpenTracks(columns, root))
	require.Equal(t, "tours", whole.Name)
	require.Equal(t, "class", whole.Label)
	require.Equal(t, []string{"bike", "walk"}, whole.Classes)
	require.Equal(t, []int32{0, 0, 1, 1}, whole.Labels)
	require.Equal(t, []float64{30, 40, 10, 20}, starts(whole))
	require.Equal(t, []string{"bike/a.geojson", "bike/c.json", "one", "walk/deep/b.GPX"}, whole.IDs)
	require.Nil(t, whole.tests)

	// A pattern that matches all of it, folders or files, is the same; also from within, by another path.
	for _, pattern := range []string{root + "/*", root + "/*k*", filepath.Dir(root) + "/tours/[bw]*"} {
		require.True(t, Several(pattern))
		s := must(OpenTracks(columns, pattern))
		require.Equal(t, whole, s, pattern)
	}
	t.Chdir(root)
	for _, pattern := range []string{".", "*"} {
		s := must(OpenTracks(columns, pattern))
		require.Equal(t, whole, s, pattern)
	}
	some := must(OpenTracks(columns, "*/a.*"))
	require.Equal(t, []float64{30, 10}, starts(some))
	require.NotEqual(t, whole.SHA256, some.SHA256)

	require.NoError(t, os.Symlink(root, "../link"))
	s := must(OpenTracks(columns, "../link"))
	require.Equal(t, "link", s.Name)
	require.Equal(t, whole.SHA256, s.SHA256)
}

// TestFoldersOfBothFormats: each format has its own names of times and of what tracks are called, whichever
// file comes first.
func TestFoldersOfBothFormats(t *testing.T) {
	const gpx = `<gpx><trk><name>one</name><trkpt lat='1' lon='2'><time>2020-01-01</time></trkpt></trk></gpx>`
	const geo = `{"type": "Feature", "id": "two", "properties": {"coordTimes": ["2020-01-01T00:00:01Z"]},
		"geometry": {"type": "LineString", "coordinates": [[1, 2]]}}`
	for _, names := range [][2]string{{"a.gpx", "b.json"}, {"b.gpx", "a.json"}} {
		root := t.TempDir()
		put(t, root, map[string]string{names[0]: gpx, names[1]: geo})
		s := must(OpenTracks(Columns{}, root))
		require.ElementsMatch(t, []string{"one", "two"}, s.IDs)
		require.NotEmpty(t, s.Time)
		require.Len(t, s.Simplices[0].Cochain, 2)
	}
}

// TestFoldersChange: the checksum of a folder is another when a track has another text, or another name.
func TestFoldersChange(t *testing.T) {
	root := folders(t)
	sums := map[string]bool{}
	for _, change := range []func(){
		func() {},
		func() { put(t, root, map[string]string{"bike/photo.jpg": ""}) }, // no track
		func() { put(t, root, map[string]string{"walk/a.gpx": gpxOf("", 11)}) },
		func() { require.NoError(t, os.Rename(root+"/walk", root+"/hike")) },
	} {
		change()
		sums[must(OpenTracks(Columns{Folders: true}, root)).SHA256] = true
	}
	require.Len(t, sums, 3)
}

// Labels may stand in the files, some without; there may be a folder to test with, of other files.
func TestFoldersWithLabels(t *testing.T) {
	root := t.TempDir()
	put(t, root, map[string]string{
		"train/a.gpx": gpxOf("<type>9</type>", 10), "train/b.gpx": gpxOf("<type>10</type>", 20),
		"train/c.gpx": gpxOf("", 30), "test/d.gpx": gpxOf("<type>10</type>", 40),
	})
	columns := Columns{Label: "type"}
	s := must(OpenTracks(columns, root+"/train", root+"/test/*.gpx"))
	require.Equal(t, []string{"9", "10"}, s.Classes) // by number
	require.Equal(t, []float64{10, 20, 40}, starts(s))
	require.Equal(t, datasets.Fold{Train: []int32{0, 1}, Test: []int32{2}}, s.Split)
	require.Equal(t, 1, s.unlabeled)
	require.Len(t, s.tests, 1)
	require.Equal(t, s.tests[0], must(OpenTracks(columns, root+"/test")).SHA256)

	// What is wrong with a label is told of the file that has it, whichever is read after it.
	columns.Task = datasets.Regression
	put(t, root, map[string]string{"train/b.gpx": gpxOf("<type>ten</type>", 20)})
	_, err := OpenTracks(columns, root+"/train", root+"/test")
	require.ErrorContains(t, err, `b.gpx, line 2, column "type": the label ten is not a number`)
	columns.Label = "sport"
	_, err = OpenTracks(columns, root+"/train")
	require.ErrorContains(t, err, `/train: no track has a label in "sport"`)
}

func TestFaultsOfFolders(t *testing.T) {
	root := folders(t)
	for _, c := range []struct {
		place, want, empty string // the text of bike/empty.gpx, if there is one
		columns            Columns
	}{
		{place: root + "/none", want: "none"},
		{place: root + "/none*", want: "none*: no tracks: of a folder or pattern files named .gpx"},
		{place: root + "/bike/*.jpg", want: "*.jpg: no tracks"},
		{place: root + "/.trash", want: "d.gpx: no tracks: take the file out of"},
		{place: root + "/[a-", want: "[a-: syntax error in pattern"},
		{place: root + "/walk/a.gpx", want: "a.gpx is one file"},
		{place: root + "/walk", want: "a.gpx lies in no folder: each class has one"},
		{place: root, columns: Columns{Label: "type"}, want: `the label "type": name one of them`},
		{place: root, columns: Columns{Task: datasets.Regression}, want: "folders are classes, not numbers"},
		{place: root, want: "bike/empty.gpx: no tracks: take the file out of",
			empty: "<gpx><wpt lat='1' lon='2'/></gpx>"},
		{place: root, want: "bike/empty.gpx, line 2: a point without lon",
			empty: "<gpx><trk>\n<trkpt lat='1'/></trk></gpx>"},
	} {
		if c.empty != "" {
			put(t, root, map[string]string{"bike/empty.gpx": c.empty})
		}
		if c.columns.Folders = true; c.place == root+"/.trash" {
			c.columns.Folders = false
		}
		_, err := OpenTracks(c.columns, c.place)
		require.ErrorContains(t, err, c.want, c.place)
		require.False(t, strings.Contains(err.Error(), "\n"))
	}
	require.NoError(t, os.Remove(root+"/bike/empty.gpx"))
	columns := Columns{Folders: true}
	_, err := OpenTracks(columns, root, root+"/walk*", root+"/walk/deep")
	require.ErrorContains(t, err, "b.GPX lies in no folder", "of what is tested with")
	require.NoError(t, os.Symlink(root+"/none", root+"/bike/empty.gpx"))
	_, err = OpenTracks(columns, root)
	require.ErrorContains(t, err, "bike/empty.gpx")
}

// The counts are those of the archive's description of each data set.
func TestArchive(t *testing.T) {
	for name, want := range map[string]struct{ train, test, dim, length, classes int }{
		"ArticularyWordRecognition": {275, 300, 9, 144, 25},
		"BasicMotions":              {40, 40, 6, 100, 4},
		"ERing":                     {30, 270, 4, 65, 6},
		"Epilepsy":                  {137, 138, 3, 206, 4},
		"Handwriting":               {150, 850, 3, 152, 26},
		"Libras":                    {180, 180, 2, 45, 15},
		"NATOPS":                    {180, 180, 24, 51, 6},
		"PenDigits":                 {7494, 3498, 2, 8, 10},
		"RacketSports":              {151, 152, 6, 30, 4},
		"UWaveGestureLibrary":       {120, 320, 3, 315, 8},
	} {
		files := must(published.Open(t.Context(), name))
		s := must(ReadTS(files[0], files[1]))
		require.Equal(t, files[0].SHA256, s.SHA256)
		require.Equal(t, []string{files[1].SHA256}, s.tests)
		longest := 0
		for _, g := range s.Split.Train {
			longest = max(longest, s.Count(0, int(g)))
		}
		require.Equal(t, want, struct{ train, test, dim, length, classes int }{
			len(s.Split.Train), len(s.Split.Test), s.Dim, longest, len(s.Classes)}, name)
		require.Zero(t, s.filled, name)
	}
}
