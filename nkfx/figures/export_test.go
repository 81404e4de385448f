package figures

// Small returns a figure as PNG at the resolution of golden images.
func Small(f *Figure) ([]byte, error) { return f.png(72) }
