package agentconfig

import (
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
)

// iconSize is the side of the plugin's icon in points, the least that a plugin directory takes.
const iconSize = 512

// pluginIcon draws a relay baton, as a PNG of two colours. It is stored and not compressed, so that
// its bytes do not depend on the release of a compressor.
func pluginIcon() []byte {
	header := binary.BigEndian.AppendUint32(nil, iconSize)
	header = binary.BigEndian.AppendUint32(header, iconSize)
	header = append(header, 1, 3, 0, 0, 0) // one bit a point, colours from the palette
	out := []byte("\x89PNG\r\n\x1a\n")
	out = pngChunk(out, "IHDR", header)
	out = pngChunk(out, "PLTE", []byte{0x1f, 0x2a, 0x44, 0xf2, 0xb1, 0x34})
	out = pngChunk(out, "IDAT", stored(iconRows()))
	return pngChunk(out, "IEND", nil)
}

// iconRows are the lines of the picture, each after the byte that says that it is not filtered.
func iconRows() []byte {
	rows := make([]byte, 0, iconSize*(1+iconSize/8))
	for y := range iconSize {
		rows = append(rows, 0)
		for left := 0; left < iconSize; left += 8 {
			var eight byte
			for x := left; x < left+8; x++ {
				eight <<= 1
				if onBaton(x, y) {
					eight |= 1
				}
			}
			rows = append(rows, eight)
		}
	}
	return rows
}

// onBaton reports whether a point lies on the baton: a bar with round ends from the lower left to
// the upper right, with two bands.
func onBaton(x, y int) bool {
	const end, radius = iconSize / 4, 56
	along, across := x-y+iconSize, x+y-iconSize // both in steps of half a diagonal
	half := iconSize - 2*end
	beyond := max(0, max(along-iconSize, iconSize-along)-half)
	if beyond*beyond+across*across > 2*radius*radius {
		return false
	}
	for _, band := range [...]int{-half / 2, half / 2} {
		if d := along - iconSize - band; d > -14 && d < 14 {
			return false
		}
	}
	return true
}

// stored wraps bytes as zlib wants them, uncompressed.
func stored(data []byte) []byte {
	const most = 0xffff
	out := []byte{0x78, 0x01}
	for rest := data; ; {
		n := min(len(rest), most)
		last := byte(0)
		if n == len(rest) {
			last = 1
		}
		out = append(out, last)
		out = binary.LittleEndian.AppendUint16(out, uint16(n))
		out = binary.LittleEndian.AppendUint16(out, ^uint16(n))
		out = append(out, rest[:n]...)
		if rest = rest[n:]; last == 1 {
			break
		}
	}
	return binary.BigEndian.AppendUint32(out, adler32.Checksum(data))
}

func pngChunk(out []byte, kind string, data []byte) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
	body := append([]byte(kind), data...)
	out = append(out, body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(body))
}
