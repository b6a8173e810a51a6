package agentsession

import (
	"path"
	"slices"
	"strings"
)

// secretTail reports whether a secret follows a word because of its position and not its name:
// after a one-letter flag of certain programs, or after a verb that expects one. keep is how much
// of the word is not secret.
func secretTail(words []string, i int) (keep int, found bool) {
	begin := commandBegin(words, i)
	if begin > i {
		return 0, false
	}
	word, program := words[i], strings.TrimSuffix(path.Base(strings.Trim(words[begin], `'"`)), ".exe")
	if i == begin {
		return len(word), program == "htpasswd" || (program == "echo" || program == "printf") && secretPiped(words[i:])
	}
	switch flags := secretFlags(program, words[begin:i]); {
	case slices.Contains(flags, word):
		return len(word), true
	case strings.HasPrefix(word, "--"):
		name, _, joined := strings.Cut(word, "=")
		return len(name) + 1, joined && slices.Contains(flags, name)
	case len(word) > 2 && slices.Contains(flags, word[:2]+"*"):
		return 2, true
	}
	return 0, false
}

// secretFlags are the flags after which a program expects a secret. A flag with a star may have it
// in the same word.
func secretFlags(program string, before []string) []string {
	switch program {
	case "curl", "wget", "http", "https", "xh":
		return []string{"-u", "-u*", "-U", "-U*", "-b", "-b*", "--user", "--proxy-user"}
	case "mysql", "mysqldump", "mysqladmin", "mysqlimport", "mariadb", "mariadb-dump", "sshpass", "mongo", "mongosh",
		"mongodump", "mongorestore", "7z", "7za":
		return []string{"-p", "-p*"}
	case "docker", "podman", "nerdctl", "buildah", "skopeo", "helm", "oc", "az":
		if slices.Contains(before, "login") {
			return []string{"-p", "-p*"}
		}
	case "vault", "op":
		return []string{"login", "signin"}
	case "sqlcmd", "bcp", "zip", "unzip":
		return []string{"-P", "-P*"}
	case "redis-cli":
		return []string{"-a"}
	case "openssl", "gpg":
		return []string{"-k", "-K", "-pass", "-passin", "-passout"}
	case "kubectl":
		if slices.Contains(before, "secret") {
			return []string{"--from-literal"}
		}
	}
	return nil
}

// secretSet reports whether a word names a secret whose value is the next word: `config set NAME
// VALUE`, `NAME = VALUE`.
func secretSet(words []string, i int) bool {
	if i+1 >= len(words) {
		return false
	}
	named := secretName(strings.Trim(words[i], `'"`))
	if words[i+1] == "=" {
		return named
	}
	if i == 0 || words[i-1] != "set" {
		return false
	}
	return named || slices.ContainsFunc(words[commandBegin(words, i):i], secretName)
}

// secretPiped reports whether a command pipes a secret into another one.
func secretPiped(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return strings.HasPrefix(w, "--") && (w == "--with-token" || strings.HasSuffix(w, "-stdin") && secretName(w))
	})
}

// commandBegin returns the position of the program in the command that contains word i, or i+1 if
// the program is still to come.
func commandBegin(words []string, i int) int {
	begin, found := 0, false
	for at, word := range words[:i+1] {
		switch {
		case strings.Trim(word, "|&;(") == "": // an operator between two commands
			begin, found = at+1, false
		case found:
		case strings.Contains(word, "="), word == "sudo", word == "env", word == "time", word == "exec",
			word == "nohup":
			begin = at + 1
		default:
			begin, found = at, true
		}
		if strings.HasSuffix(word, ";") {
			begin, found = at+1, false
		}
	}
	return begin
}
