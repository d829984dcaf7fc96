package session

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// A process of the crash test is this test binary, started again.
const soakVariable = "ASSENT_TEST_SESSION_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(soakVariable); dir != "" {
		if err := soakChild(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// soakChild appends records of all sizes until it is killed, and prints each that is
// acknowledged.
func soakChild(dir string) error {
	tr, err := NewStore(dir).Resume(one)
	if err != nil {
		return err
	}
	n := tr.place().Number
	for {
		n++
		if err := tr.Append(Noted, note(n)); err != nil {
			return err
		}
		fmt.Println(n)
	}
}

// note is a text that depends on the number alone; some are larger than a page, a few
// than what one write takes at once.
func note(n int) string {
	size := 100
	switch {
	case n%17 == 0:
		size = 900 << 10
	case n%3 == 0:
		size = 12 << 10
	}
	return strconv.Itoa(n) + strings.Repeat("x", size)
}

func TestD8_WhatWasAcknowledgedSurvivesAKill(t *testing.T) {
	rounds, seed := 8, uint64(1)
	if os.Getenv("ASSENT_SOAK") != "" {
		rounds, seed = 1000, rand.Uint64()
	}
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	s := newStore(t)
	_ = create(t, s, one).Close()
	acknowledged, torn := 0, 0
	for round := range rounds {
		if round%50 == 49 { // or the file would get too large to read each time
			if err := os.RemoveAll(s.path(one)); err != nil {
				t.Fatal(err)
			}
			_ = create(t, s, one).Close()
		}
		last := soakRound(t, s.dir, 1+random.IntN(20), random.IntN(200_000))
		before, err := os.Stat(s.path(one) + "/" + transcriptName)
		if err != nil {
			t.Fatal(err)
		}
		tr := resume(t, s, one)
		if got := tr.place(); got.Number < last {
			t.Fatalf("round %d: record %d was acknowledged, %d are there", round, last, got.Number)
		} else if got.Offset < before.Size() {
			torn++
		}
		for r, err := range tr.Records() {
			if err != nil {
				t.Fatal(err)
			}
			if r.Number > 1 && string(r.Body) != strconv.Quote(note(r.Number)) {
				t.Fatalf("round %d: record %d is %.80s", round, r.Number, r.Body)
			}
		}
		acknowledged += last
		_ = tr.Close()
	}
	t.Logf("%d rounds, %d torn lines", rounds, torn)
	if acknowledged == 0 {
		t.Error("nothing was acknowledged, so nothing was tried")
	}
}

// soakRound kills a child some time after it has acknowledged so many records, and
// returns the last one it did. The time is measured in work, not by a clock.
func soakRound(t *testing.T, dir string, after, later int) (last int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), soakVariable+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewScanner(out)
	for in.Scan() {
		if last, err = strconv.Atoi(in.Text()); err != nil {
			t.Fatal(err)
		}
		if after--; after == 0 {
			for range later {
				after-- // a while
			}
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_, _ = io.Copy(io.Discard, out)
	if err := cmd.Wait(); err == nil {
		t.Fatal("the child ended by itself")
	}
	return last
}
