package series

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
)

// archive holds the SHA-256 of the training and the test file of ten multivariate data sets of the UEA
// archive (Bagnall et al., The UEA multivariate time series classification archive, 2018).
var archive = map[string][2]string{
	"ArticularyWordRecognition": {"40c54640f20aa094115a47ad1f4745f5adcc08a65085659a4a042aee1c32a6d5",
		"b4431c96e04310c55b8f50b6f93b0e20cfa019a2d25ab2a5c844e5e0b1375995"},
	"BasicMotions": {"3dcb66b389ba93ed2de7879bceb27548e0ea7a5ffb59888d0db36b59af2a0e28",
		"ea93ab9f58faa6869c18bbe16a6dca0b02f174aa676af7568788a1a2a8e7e8da"},
	"ERing": {"582d9d14bcda44a4bb4b7dc37bb210df70b57e4bf030245ebf1c28ae7e59edab",
		"2399c7d2bc7d8b57466441e9f499afdace7ff8353b8ebff090799b22aaa8f812"},
	"Epilepsy": {"e2555afb91b2484831bcc66b3b5db3a362ba0697e855cfbb041eac165e371022",
		"e68e220e31a9235fd7da23bbae2e59bd8315a3cc4c2b12f803885235b61b52ac"},
	"Handwriting": {"c187e2288bd7f0667ab7453de436feeadb5dd417c5778a6c62b71852b50736cc",
		"156ee781ad41d58b4e5d48a907aef956f5a3756e1ab2d796c785db1a47863524"},
	"Libras": {"e3e50019f02dccb95b930df592b36d388a3a1b5f7a222c1e8ec2bb3137ed102a",
		"1aec3b3737c3bdaf82cbc25e715f4a5beb25f11fac092337c2bdc0f866934788"},
	"NATOPS": {"3567f0aa297e89327215ee1147537e06f7bdc51f48ac8d2c39aaa34fb1eab1b7",
		"3a9a41a948c30d19db6b9e0ec44d946d42199c4f8724c2aa6e8b71b28612404e"},
	"PenDigits": {"4d24d1f0d4f477cfc3efeaa1aebacba53c8c145d99b7fa37b962139958c1f4af",
		"ddd62484a72ebf058f8f0e0390ba3cdff174faa71397ff5336b2d4119ee76f6c"},
	"RacketSports": {"f5374faaaf6a1aad9ca2ec26d0e39ba61f26b8a6d6bf1766a691027c1ca6f023",
		"c8179bbde0e45f41218ce4a46258524ae7abca7d0e7e45f4424a23d1b1d98d8d"},
	"UWaveGestureLibrary": {"cb7cd8cb995775d30dacbfd5c2a9cb3a80dfbd186fd444294bae70c9162dead1",
		"517dbc817c3f181c64727a84ee8bd0cedd3554346042898b9107010b690c331a"},
}

// Names returns the names of the data sets of the UEA archive that nkf knows, ascending.
func Names() []string { return slices.Sorted(maps.Keys(archive)) }

// Load returns a data set of the UCR or UEA archive, in upper or lower case, with its default split. Its
// files NAME_TRAIN.ts and NAME_TEST.ts are looked for as datasets.NewFinder does, in a folder uea. The
// archive gives whole zip files away, which nobody unpacks here: they are not downloaded. Those of [Names]
// are checked, others are taken as they are.
func Load(ctx context.Context, name string) (*Set, error) {
	for known := range archive {
		if strings.EqualFold(known, name) {
			name = known
		}
	}
	sums, checked := archive[name]
	finder := datasets.NewFinder()
	finder.Offline, finder.AnyContent = true, !checked
	var paths [2]string
	for i, part := range []string{"_TRAIN.ts", "_TEST.ts"} {
		page := "https://www.timeseriesclassification.com/description.php?Dataset=" + name
		source := datasets.Source{Name: name, Path: "uea/" + name + part, URL: page, SHA256: sums[i]}
		path, err := finder.Find(ctx, source)
		if err != nil {
			return nil, fmt.Errorf("%w; the archive nkf knows by name: %s", err, strings.Join(Names(), ", "))
		}
		paths[i] = path
	}
	s, err := OpenTS(paths[0], paths[1])
	if err != nil {
		return nil, err
	}
	s.Name = name
	return s, nil
}
