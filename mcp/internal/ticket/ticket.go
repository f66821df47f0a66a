// Package ticket makes what a server hands to a client and wants to have back
// unchanged: requestState of the protocol's revision 2026-07-28. A ticket holds a
// payload that the client may read, is good for one purpose, until it expires,
// and once.
package ticket

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"sync"
	"time"
)

// What can be wrong with a ticket.
var (
	ErrForged  = errors.New("it was changed, is of another call, or of a server that has ended")
	ErrUsed    = errors.New("it was used before")
	ErrExpired = errors.New("it has expired")
	ErrBusy    = errors.New("too many were used of late: try again in a minute")
)

// MaxPayload is the longest payload that Issue takes, in bytes.
const MaxPayload = 256 << 10

// maxUsed bounds what is remembered of tickets that were used and have not yet
// expired. Over it none is taken, rather than one twice.
const maxUsed = 1 << 16

const (
	format   = 1
	nonceLen = 16
	headLen  = 1 + 8 + nonceLen // format, expiry in Unix milliseconds, nonce
	macLen   = sha256.Size
)

// Issuer makes tickets and takes them back. Its key is its own, so what it made
// is worth nothing to another process.
type Issuer struct {
	key [32]byte
	now func() time.Time

	mu   sync.Mutex
	used map[[nonceLen]byte]int64 // when each expires
}

// New returns an Issuer with a fresh key.
func New() *Issuer { return newIssuer(time.Now) }

func newIssuer(now func() time.Time) *Issuer {
	i := &Issuer{now: now, used: map[[nonceLen]byte]int64{}}
	rand.Read(i.key[:]) // does not fail: see crypto/rand
	return i
}

// Issue returns a ticket for a purpose, which Redeem has to be given again.
func (i *Issuer) Issue(purpose, payload []byte, life time.Duration) (string, error) {
	if len(payload) > MaxPayload {
		return "", errors.New("what is to be remembered until the answer comes is too long")
	}
	b := make([]byte, headLen, headLen+len(payload)+macLen)
	b[0] = format
	binary.BigEndian.PutUint64(b[1:], uint64(i.now().Add(life).UnixMilli()))
	rand.Read(b[1+8:])
	b = append(b, payload...)
	b = append(b, i.mac(purpose, b)...)
	return base64.RawURLEncoding.EncodeToString(b), nil
}

// Redeem takes a ticket and returns its payload: with ErrExpired too, of a
// ticket that is good but late, and with no other error. What it has taken it
// does not take again.
func (i *Issuer) Redeem(purpose []byte, ticket string) ([]byte, error) {
	if len(ticket) > base64.RawURLEncoding.EncodedLen(headLen+MaxPayload+macLen) {
		return nil, ErrForged
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(ticket)
	if err != nil || len(b) < headLen+macLen || b[0] != format || bytes.ContainsAny([]byte(ticket), "\r\n") {
		return nil, ErrForged
	}
	body, mac := b[:len(b)-macLen], b[len(b)-macLen:]
	if !hmac.Equal(mac, i.mac(purpose, body)) {
		return nil, ErrForged
	}
	expires := int64(binary.BigEndian.Uint64(body[1:]))
	nonce := [nonceLen]byte(body[1+8 : headLen])
	now := i.now().UnixMilli()
	i.mu.Lock()
	defer i.mu.Unlock()
	if _, used := i.used[nonce]; used {
		return nil, ErrUsed
	}
	if now >= expires {
		return body[headLen:], ErrExpired
	}
	if len(i.used) >= maxUsed {
		for n, end := range i.used {
			if now >= end {
				delete(i.used, n)
			}
		}
		if len(i.used) >= maxUsed {
			return nil, ErrBusy
		}
	}
	i.used[nonce] = expires
	return body[headLen:], nil
}

// mac is over the purpose, with its length before it, and the ticket.
func (i *Issuer) mac(purpose, body []byte) []byte {
	h := hmac.New(sha256.New, i.key[:])
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], uint64(len(purpose)))
	h.Write(n[:])
	h.Write(purpose)
	h.Write(body)
	return h.Sum(nil)
}
