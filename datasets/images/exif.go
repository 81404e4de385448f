package images

import (
	"bytes"
	"encoding/binary"
)

// orientation is how an image is stored, by the numbers of Exif: 1 is as it is shown.
type orientation uint16

// swaps reports whether rows are stored that are shown as columns.
func (o orientation) swaps() bool { return o >= 5 }

// stored returns where the pixel is stored that is shown at (x, y) of an image that is shown with a width and
// height.
func (o orientation) stored(x, y, width, height int) (column, row int) {
	if o == 2 || o == 3 || o == 6 || o == 7 { // the first pixel is shown at the right
		x = width - 1 - x
	}
	if o == 3 || o == 4 || o == 7 || o == 8 { // the first pixel is shown at the bottom
		y = height - 1 - y
	}
	if o.swaps() {
		return y, x
	}
	return x, y
}

// orientationOf returns the orientation that the first Exif segment of a JPEG file states, or 1.
func orientationOf(content []byte) orientation {
	rest, ok := bytes.CutPrefix(content, []byte{0xff, 0xd8})
	const scan = 0xda // pixels follow
	for ok && len(rest) >= 4 && rest[0] == 0xff && rest[1] != scan {
		if rest[1] == 0xff { // padding
			rest = rest[1:]
			continue
		}
		end := 2 + int(binary.BigEndian.Uint16(rest[2:]))
		if end < 4 || end > len(rest) {
			break
		}
		if exif, is := bytes.CutPrefix(rest[4:end], []byte("Exif\x00\x00")); is && rest[1] == 0xe1 {
			return orientationIn(exif)
		}
		rest = rest[end:]
	}
	return 1
}

// orientationIn returns the tag Orientation in the first directory of a TIFF file, or 1.
func orientationIn(tiff []byte) orientation {
	const head, entry, tag = 8, 12, 0x0112
	if len(tiff) < head {
		return 1
	}
	var order binary.ByteOrder = binary.BigEndian
	if tiff[0] == 'I' {
		order = binary.LittleEndian
	}
	at := order.Uint32(tiff[4:])
	if at > uint32(len(tiff)-2) {
		return 1
	}
	count, entries := int(order.Uint16(tiff[at:])), tiff[at+2:]
	for ; count > 0 && len(entries) >= entry; count-- {
		if o := orientation(order.Uint16(entries[8:])); order.Uint16(entries) == tag && o >= 1 && o <= 8 {
			return o
		}
		entries = entries[entry:]
	}
	return 1
}
