package room

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
)

// patient is somebody who waits for turns.
type patient struct {
	t     *testing.T
	turns *Turns
	mu    sync.Mutex // several may be told at the same moment
	came  []string
	gone  []string
	dones []func()
}

func (p *patient) wait(ctx context.Context, network, who string) {
	go func() {
		done, err := p.turns.Take(ctx, network, who)
		p.mu.Lock()
		defer p.mu.Unlock()
		if err != nil {
			p.gone = append(p.gone, who)
			return
		}
		p.came, p.dones = append(p.came, who), append(p.dones, done)
	}()
	synctest.Wait()
}

// over ends all turns that have come.
func (p *patient) over() {
	for len(p.dones) > 0 {
		done := p.dones[0]
		p.dones = p.dones[1:]
		done()
		synctest.Wait()
	}
}

// Whoever asks for much waits behind themselves, whatever parts of their network they name.
func TestT16_TurnsAreShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &patient{t: t, turns: NewTurns(2, 100)}
		for i := range 20 {
			p.wait(t.Context(), "eve", fmt.Sprintf("eve%d", i))
		}
		for range 3 {
			p.wait(t.Context(), "proxy", "vic")
		}
		p.wait(t.Context(), "proxy", "ana")
		p.wait(t.Context(), "bob", "bob")
		p.over()
		if want := []string{"eve0", "eve1", "eve2", "vic", "bob", "eve3", "ana", "eve4", "vic", "eve5", "vic", "eve6"}; len(p.came) != 25 || !slices.Equal(p.came[:len(want)], want) {
			t.Errorf("%v", p.came)
		}
		if p.turns.free != 2 || p.turns.line.length != 0 || len(p.turns.line.parts) != 0 || len(p.turns.line.order) != 0 {
			t.Errorf("%+v is left", p.turns)
		}
	})
}

// Where too many wait the one who has the most gives up.
func TestT16_OnlySoManyWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &patient{t: t, turns: NewTurns(1, 4)}
		p.wait(t.Context(), "ana", "ana")
		for i := range 6 {
			p.wait(t.Context(), "eve", fmt.Sprintf("eve%d", i))
		}
		p.wait(t.Context(), "bob", "bob")
		if want := []string{"eve0", "eve1", "eve2"}; !slices.Equal(p.gone, want) {
			t.Errorf("%v had to give up", p.gone)
		}
		p.over()
		if want := []string{"ana", "eve3", "bob", "eve4", "eve5"}; !slices.Equal(p.came, want) {
			t.Errorf("%v", p.came)
		}
	})
}

// Who does not wait any more takes no turn away.
func TestATurnThatNobodyWaitsFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &patient{t: t, turns: NewTurns(1, 10)}
		p.wait(t.Context(), "ana", "ana")
		ctx, stop := context.WithCancel(t.Context())
		p.wait(ctx, "eve", "eve")
		p.wait(ctx, "bob", "bob1")
		p.wait(t.Context(), "bob", "bob2")
		stop()
		synctest.Wait()
		p.over()
		if want := []string{"ana", "bob2"}; !slices.Equal(p.came, want) || len(p.gone) != 2 || p.turns.free != 1 {
			t.Errorf("%v came, %v went, %d are free", p.came, p.gone, p.turns.free)
		}
		// Both at the same time: whichever is noticed, no turn is lost.
		for range 100 {
			done, err := p.turns.Take(t.Context(), "ana", "ana")
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() {
				over, err := p.turns.Take(ctx, "eve", "eve")
				if err == nil {
					over()
				}
				ended <- err
			}()
			synctest.Wait()
			go stop()
			done()
			if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		if p.turns.free != 1 {
			t.Errorf("%d are free", p.turns.free)
		}
	})
}
