// Package crypt checks passwords against crypt(3) strings of the kind "$5$"
// (SHA-256), as they stand in /etc/pve/priv/shadow.cfg.
package crypt

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"strconv"
	"strings"
)

const alphabet = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// Matches tells whether hash, a string "$5$[rounds=N$]SALT$SUM", was made from password.
func Matches(password, hash string) bool {
	rest, ok := strings.CutPrefix(hash, "$5$")
	if !ok {
		return false
	}
	salt, _, ok := strings.Cut(rest, "$")
	rounds := 5000
	if n, is := strings.CutPrefix(salt, "rounds="); is && ok {
		r, err := strconv.Atoi(n)
		if err != nil {
			return false
		}
		rounds = r
		_, rest, _ = strings.Cut(rest, "$")
		salt, _, ok = strings.Cut(rest, "$")
		return ok && equal(hash, fmt.Sprintf("$5$rounds=%d$%s$%s", rounds, salt, sum(password, salt, rounds)))
	}
	return ok && equal(hash, "$5$"+salt+"$"+sum(password, salt, rounds))
}

// Make returns the crypt(3) string of a password with the default of 5000 rounds.
func Make(password, salt string) string { return "$5$" + salt + "$" + sum(password, salt, 5000) }

func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// sum follows the steps of Ulrich Drepper's specification "Unix crypt using
// SHA-256 and SHA-512", version 0.6.
func sum(password, salt string, rounds int) string {
	p, s := []byte(password), []byte(salt)
	if len(s) > 16 {
		s = s[:16]
	}
	b := sha256.Sum256(join(p, s, p))
	a := sha256.New()
	a.Write(p)
	a.Write(s)
	a.Write(repeat(b[:], len(p)))
	for n := len(p); n > 0; n >>= 1 {
		if n&1 == 1 {
			a.Write(b[:])
		} else {
			a.Write(p)
		}
	}
	digest := a.Sum(nil)
	dp := sha256.New()
	for range p {
		dp.Write(p)
	}
	pp := repeat(dp.Sum(nil), len(p))
	ds := sha256.New()
	for range 16 + int(digest[0]) {
		ds.Write(s)
	}
	ss := repeat(ds.Sum(nil), len(s))
	for i := range rounds {
		c := sha256.New()
		pick(c.Write, i%2 == 1, pp, digest)
		if i%3 != 0 {
			c.Write(ss)
		}
		if i%7 != 0 {
			c.Write(pp)
		}
		pick(c.Write, i%2 == 1, digest, pp)
		digest = c.Sum(nil)
	}
	return encode(digest)
}

func pick(write func([]byte) (int, error), first bool, a, b []byte) {
	if !first {
		a = b
	}
	_, _ = write(a) // a hash never fails
}

func join(parts ...[]byte) []byte {
	var out []byte
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

func repeat(block []byte, n int) []byte {
	var out []byte
	for len(out) < n {
		out = append(out, block...)
	}
	return out[:n]
}

func encode(d []byte) string {
	var out []byte
	put := func(a, b, c byte, n int) {
		w := uint(a)<<16 | uint(b)<<8 | uint(c)
		for range n {
			out = append(out, alphabet[w&0x3f])
			w >>= 6
		}
	}
	order := [][3]int{{0, 10, 20}, {21, 1, 11}, {12, 22, 2}, {3, 13, 23}, {24, 4, 14}, {15, 25, 5}, {6, 16, 26}, {27, 7, 17}, {18, 28, 8}, {9, 19, 29}}
	for _, o := range order {
		put(d[o[0]], d[o[1]], d[o[2]], 4)
	}
	put(0, d[31], d[30], 3)
	return string(out)
}
