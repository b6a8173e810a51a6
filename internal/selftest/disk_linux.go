package selftest

import "syscall"

// fileSystem returns the name of the file system of dir, from the number that statfs(2) returns.
func fileSystem(dir string) string {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return ""
	}
	switch uint32(st.Type) {
	case 0xef53:
		return "ext4"
	case 0x58465342:
		return "xfs"
	case 0x9123683e:
		return "btrfs"
	case 0x2fc12fc1:
		return "zfs"
	case 0xca451a4e:
		return "bcachefs"
	case 0xf2f52010:
		return "f2fs"
	case 0x01021994:
		return "tmpfs"
	case 0x794c7630:
		return "overlayfs"
	case 0x6969:
		return "nfs"
	case 0xff534d42, 0xfe534d42, 0x517b:
		return "smb"
	case 0x01021997:
		return "9p"
	case 0x65735546:
		return "fuse"
	case 0x4d44:
		return "fat"
	case 0x5346544e, 0x7366746e:
		return "ntfs"
	default:
		return ""
	}
}
