package datasets

// File is a file that was read.
type File struct {
	Name   string
	Path   string // where it was found; "" if the program holds it
	SHA256 string // of Bytes, in hexadecimal
	Bytes  []byte
}
