package datasets

// File is a file in memory. Open of package published returns those of a data set, which Read of package tu
// and others take.
type File struct {
	Name   string // without folders
	Path   string // where it was found; "" if the program holds it
	SHA256 string // of Bytes, in hexadecimal
	Bytes  []byte
}
