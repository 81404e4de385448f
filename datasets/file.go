package datasets

// PublishedFile is a published file: its place in a folder of data sets, its address and its checksum.
type PublishedFile struct {
	Name   string // e.g. "BZR.zip"
	Path   string // below a folder of data sets, with slashes, e.g. "tu/BZR.zip"
	URL    string // public address; "" where there is none to download from
	Hint   string // how to get the file where there is no address, as a clause
	SHA256 string // of the file's bytes, in hexadecimal
}
