package ticket

import (
	"bytes"
	"encoding/base64"
	"errors"
	"testing"
	"time"
)

// clock is moved by hand.
type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

func issuer() (*Issuer, *clock) {
	c := &clock{time.Unix(1_800_000_000, 0)}
	return newIssuer(c.now), c
}

func issue(t testing.TB, i *Issuer, purpose, payload string) string {
	t.Helper()
	ticket, err := i.Issue([]byte(purpose), []byte(payload), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return ticket
}

func TestTicket(t *testing.T) {
	i, clock := issuer()
	other, _ := issuer()
	ticket := issue(t, i, "p", "payload")
	for what, redeem := range map[string]func() ([]byte, error){
		"another purpose": func() ([]byte, error) { return i.Redeem([]byte("q"), ticket) },
		"no purpose":      func() ([]byte, error) { return i.Redeem(nil, ticket) },
		"another server":  func() ([]byte, error) { return other.Redeem([]byte("p"), ticket) },
		"cut":             func() ([]byte, error) { return i.Redeem([]byte("p"), ticket[:len(ticket)-1]) },
		"more":            func() ([]byte, error) { return i.Redeem([]byte("p"), ticket+"A") },
		"a line feed":     func() ([]byte, error) { return i.Redeem([]byte("p"), ticket+"\n") },
		"nothing":         func() ([]byte, error) { return i.Redeem([]byte("p"), "") },
	} {
		if got, err := redeem(); !errors.Is(err, ErrForged) || got != nil {
			t.Errorf("%s: %q, %v", what, got, err)
		}
	}
	if got, err := i.Redeem([]byte("p"), ticket); err != nil || string(got) != "payload" {
		t.Fatalf("%q, %v", got, err)
	}
	if got, err := i.Redeem([]byte("p"), ticket); err != ErrUsed || got != nil {
		t.Errorf("again: %q, %v", got, err)
	}
	clock.t = clock.t.Add(time.Hour)
	if got, err := i.Redeem([]byte("p"), ticket); err == nil || got != nil {
		t.Errorf("again, when it has expired: %q, %v", got, err)
	}

	late := issue(t, i, "p", "late")
	clock.t = clock.t.Add(time.Minute - time.Millisecond)
	early := issue(t, i, "p", "early")
	clock.t = clock.t.Add(time.Millisecond)
	if got, err := i.Redeem([]byte("p"), late); err != ErrExpired || string(got) != "late" {
		t.Errorf("late: %q, %v", got, err)
	}
	if got, err := i.Redeem([]byte("p"), early); err != nil || string(got) != "early" {
		t.Errorf("in time: %q, %v", got, err)
	}
	if _, err := i.Issue(nil, make([]byte, MaxPayload+1), time.Minute); err == nil {
		t.Error("a payload of any length is taken")
	}
}

// Purpose and ticket can't be shifted into one another.
func TestPurposeIsApart(t *testing.T) {
	i, _ := issuer()
	if bytes.Equal(i.mac([]byte("ab"), []byte("c")), i.mac([]byte("a"), []byte("bc"))) {
		t.Error("two purposes have one code")
	}
}

// A flood of used tickets costs bounded memory, and none is taken twice.
func TestMany(t *testing.T) {
	i, clock := issuer()
	first := issue(t, i, "p", "")
	if _, err := i.Redeem([]byte("p"), first); err != nil {
		t.Fatal(err)
	}
	for range maxUsed - 1 {
		i.Redeem([]byte("p"), issue(t, i, "p", ""))
	}
	if _, err := i.Redeem([]byte("p"), issue(t, i, "p", "")); err != ErrBusy {
		t.Errorf("over the bound: %v", err)
	}
	if _, err := i.Redeem([]byte("p"), first); err != ErrUsed {
		t.Errorf("the first again: %v", err)
	}
	clock.t = clock.t.Add(time.Minute)
	if _, err := i.Redeem([]byte("p"), issue(t, i, "p", "")); err != nil {
		t.Errorf("when the others have expired: %v", err)
	}
	if len(i.used) != 1 {
		t.Errorf("%d are remembered", len(i.used))
	}
}

// Whatever comes back, it is taken only if it is what was handed out.
func FuzzRedeem(f *testing.F) {
	i, _ := issuer()
	good := issue(f, i, "p", "payload")
	f.Add(good, []byte("p"), -1, byte(0))
	f.Add(good, []byte("p"), 3, byte(1))
	f.Add(good+"=", []byte("p"), -1, byte(0))
	f.Add("", []byte(nil), 0, byte(0))
	f.Add("AQ", []byte("p"), 0, byte(0))
	f.Fuzz(func(t *testing.T, ticket string, purpose []byte, at int, flip byte) {
		i, _ := issuer()
		if got, err := i.Redeem(purpose, ticket); err == nil {
			t.Fatalf("taken, with payload %q", got)
		}
		real := issue(t, i, string(purpose), ticket[:min(len(ticket), MaxPayload)])
		raw, err := base64.RawURLEncoding.DecodeString(real)
		if err != nil {
			t.Fatal(err)
		}
		if at >= 0 && flip != 0 {
			raw[at%len(raw)] ^= flip
			if _, err := i.Redeem(purpose, base64.RawURLEncoding.EncodeToString(raw)); err != ErrForged {
				t.Fatalf("a changed byte: %v", err)
			}
		}
		if got, err := i.Redeem(purpose, real); err != nil || string(got) != ticket[:min(len(ticket), MaxPayload)] {
			t.Fatalf("%q, %v", got, err)
		}
	})
}
