package datasets

import (
	"fmt"
	"strings"
)

// Source is a published file: where it lies below a folder of data sets, its address and its checksum.
type Source struct {
	Name   string // e.g. "BZR"
	Path   string // below a folder of data sets, with slashes, e.g. "tu/BZR.zip"
	URL    string // public address; "" where there is none to download from
	SHA256 string // of the file's bytes, in hexadecimal
}

const (
	tuAddress       = "https://www.chrsmrrs.com/graphkerneldatasets/"
	moleculeAddress = "https://deepchemdata.s3-us-west-1.amazonaws.com/datasets/"
)

// sources lists the files of the paper's benchmarks: TUDataset (Morris et al. 2020) from the collection of
// its authors, MoleculeNet (Wu et al. 2018) from DeepChem. The checksums are those of the files that the
// published folds were made from. PSB12 has 234 meshes of twelve classes of the Princeton Shape Benchmark
// (Shilane et al. 2004), posed, scaled and resampled; its license does not let others publish it.
var sources = []Source{
	tuSource("AIDS", "760720923c1c0be43687f565722fc29a1f450c3a8dda3a218b798bbd1e90cf81"),
	tuSource("BZR", "1f861d71a881914dd3da323f2b3b2f2f285ed03558d1277fddc021e1cd7bf18b"),
	tuSource("COX2", "82e7287b19a29b8150b5fae374ca09fe6e8b91fa71993fb7eaa31e4566b2eddd"),
	tuSource("DHFR", "a1c59162c453c81ee008d8f4bc4acc6f9464004317b48dfef3ee5b243e3ed8b1"),
	tuSource("Letter-low", "d467a2f035cfc46f9120215a8d1a22f134743f357faa9a518302e8928721d3c3"),
	tuSource("Letter-med", "914c1bc0b59de0f8d745ba34c7ce8ab13a435c40ef76966342955472edd5e5cf"),
	tuSource("Letter-high", "050b0366502654084fbf5255afa896729c265f8c76b19a2f7c1c60338d15340c"),
	moleculeSource("BACE", "bace.csv", "f3fb9ce90bada3e2bd6148b0df13f8f8145a357bf87df0dd5b391ede974fc737"),
	moleculeSource("BBBP", "BBBP.csv", "d07a38487aeac5cee5508413e468043ef3097451d2a112701c2d60be9ec6b662"),
	moleculeSource("HIV", "HIV.csv", "9ffa7fe57dc86c342627ee1d5255e937e2ab812393c73c4d16c697022f6e1d22"),
	{Name: "PSB12", Path: "meshes/psb12.zip",
		SHA256: "c7fe5d95b58f3f7adef4d82ffa92032d42667f985e6b31a4375a23a5743c1c36"},
}

func tuSource(name, sum string) Source {
	return Source{Name: name, Path: "tu/" + name + ".zip", URL: tuAddress + name + ".zip", SHA256: sum}
}

func moleculeSource(name, file, sum string) Source {
	return Source{Name: name, Path: "moleculenet/" + file, URL: moleculeAddress + file, SHA256: sum}
}

// Sources returns the files of the benchmarks: seven TU data sets, three of MoleculeNet, and meshes.
func Sources() []Source { return append([]Source(nil), sources...) }

// Lookup returns the source of that name, in upper or lower case; the error lists the names there are.
func Lookup(name string) (Source, error) {
	names := make([]string, len(sources))
	for i, source := range sources {
		if strings.EqualFold(source.Name, name) {
			return source, nil
		}
		names[i] = source.Name
	}
	return Source{}, fmt.Errorf("no data set is called %q: the names are %s", name, strings.Join(names, ", "))
}
