// Package simplex compares simplices by their corners, in any order.
package simplex

import "encoding/binary"

// Sort sorts the corners of a simplex in place and returns the sign of that permutation.
func Sort[T int | int32](corners []T) int8 {
	sign := int8(1)
	for i := range corners {
		for j := i; j > 0 && corners[j] < corners[j-1]; j-- {
			corners[j], corners[j-1] = corners[j-1], corners[j]
			sign = -sign
		}
	}
	return sign
}

// AppendKey appends sorted corners as the bytes of a key of a map.
func AppendKey(key []byte, corners []int32) []byte {
	for _, v := range corners {
		key = binary.LittleEndian.AppendUint32(key, uint32(v))
	}
	return key
}
