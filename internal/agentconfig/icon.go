package agentconfig

import (
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
)

// iconSize is the side length of the plugin's icon in pixels, the smallest that a plugin directory
// accepts.
const iconSize = 512

// pluginIcon draws a relay baton as a PNG with two colours. The data is stored without compression,
// so that the bytes do not depend on the version of a compressor.
func pluginIcon() []byte {
	header := binary.BigEndian.AppendUint32(nil, iconSize)
	header = binary.BigEndian.AppendUint32(header, iconSize)
	header = append(header, 1, 3, 0, 0, 0) // one bit per pixel, colours from the palette
	out := []byte("\x89PNG\r\n\x1a\n")
	out = pngChunk(out, "IHDR", header)
	out = pngChunk(out, "PLTE", []byte{0x1f, 0x2a, 0x44, 0xf2, 0xb1, 0x34})
	out = pngChunk(out, "IDAT", stored(iconRows()))
	return pngChunk(out, "IEND", nil)
}

// iconRows returns the rows of the picture. Each begins with a byte that means "not filtered".
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

// onBaton reports whether a pixel is part of the baton: a bar with round ends from the lower left
// to the upper right, with two bands.
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

// stored wraps bytes in the zlib format without compressing them.
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
