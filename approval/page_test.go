package approval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/permission"
)

// fill parks calls one second apart; every third is high, every third low.
func (c *counter) fill(n int) (ids []string) {
	c.t.Helper()
	for i := range n {
		c.time = c.time.Add(time.Second)
		call := deploy(fmt.Sprintf("session-%d", i))
		t, err := c.Park(context.Background(), Parking{Call: call, By: "hook", Risk: permission.Risk(i%3 + 1), Kin: fmt.Sprintf("kin-%d", i%2)})
		if err != nil {
			c.t.Fatal(err)
		}
		ids = append(ids, t.ID)
	}
	return ids
}

// all reads every page.
func all(t *testing.T, read func(Cursor) (Page, error)) (list []Ticket, damaged int) {
	t.Helper()
	var after Cursor
	for range 1000 {
		page, err := read(after)
		if err != nil {
			t.Fatal(err)
		}
		list, damaged = append(list, page.Tickets...), damaged+len(page.Damaged)
		if after = page.Next; after == "" {
			return list, damaged
		}
	}
	t.Fatal("the pages have no end")
	return nil, 0
}

func TestA1_QueueInPages(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		ctx := context.Background()
		for limit := 1; limit <= 14; limit++ {
			c := newStore(t)
			ids := c.fill(12)
			for _, id := range ids[:2] {
				if _, err := c.Approve(ctx, id, c.find(id).Digest, "ana", "", nil); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := c.Deny(ctx, ids[2], c.find(ids[2]).Digest, "ana", "no"); err != nil {
				t.Fatal(err)
			}
			if err := c.Refuse(ctx, ids[2], "assent", ""); err != nil { // it is over
				t.Fatal(err)
			}
			for _, bad := range []int{5, 8} { // two high ones that follow each other
				if _, err := c.db.Writer().Exec("UPDATE tickets SET outcome = 'perhaps' WHERE id = $1", ids[bad]); err != nil {
					t.Fatal(err)
				}
			}
			list, damaged := all(t, func(after Cursor) (Page, error) { return c.Queue(ctx, nil, after, limit) })
			want := []string{ids[11], ids[10], ids[7], ids[4], ids[9], ids[6], ids[3], ids[1], ids[0]}
			if got := names(list); !slices.Equal(got, want) || damaged != 2 {
				t.Errorf("pages of %d: %v and %d damaged, want %v and 2", limit, got, damaged, want)
			}
		}
	})
}

func names(list []Ticket) (ids []string) {
	for _, t := range list {
		ids = append(ids, t.ID)
	}
	return ids
}

func TestA1_QueueOfSomeStates(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		ids := c.fill(3)
		if _, err := c.Approve(context.Background(), ids[1], c.find(ids[1]).Digest, "ana", "", nil); err != nil {
			t.Fatal(err)
		}
		page, err := c.Queue(context.Background(), []State{Approved}, "", 10)
		if err != nil || !slices.Equal(names(page.Tickets), ids[1:2]) {
			t.Errorf("%v, %v", names(page.Tickets), err)
		}
		counts, err := c.Counts(context.Background())
		if err != nil || counts[Pending] != 2 || counts[Approved] != 1 || counts[Done] != 0 {
			t.Errorf("%v, %v", counts, err)
		}
	})
}

func TestA1_PastWithSearch(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		ctx := context.Background()
		c := newStore(t)
		ids := c.fill(7)
		if _, err := c.Deny(ctx, ids[4], c.find(ids[4]).Digest, "Ana@home", "not on a FRIDAY"); err != nil {
			t.Fatal(err)
		}
		for text, want := range map[string][]string{
			"":          {ids[6], ids[5], ids[4], ids[3], ids[2], ids[1], ids[0]},
			"friday":    {ids[4]},
			"ana@home":  {ids[4]},
			"session-3": {ids[3]},
			"nowhere":   nil,
			ids[2]:      {ids[2]},
		} {
			list, _ := all(t, func(after Cursor) (Page, error) { return c.Past(ctx, text, after, 2) })
			if got := names(list); !slices.Equal(got, want) {
				t.Errorf("%q: %v, want %v", text, got, want)
			}
		}
		akin, err := c.Akin(ctx, "kin-1", 2)
		if err != nil || !slices.Equal(names(akin), []string{ids[5], ids[3]}) {
			t.Errorf("%v, %v", names(akin), err)
		}
	})
}

func TestA1_CursorsThatAreNone(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		for _, cursor := range []Cursor{"x", "....", "pending.1.2", "pending.x.2.id", "pending.1.x.id", ".1.2.id"} {
			if _, err := c.Queue(context.Background(), nil, cursor, 1); !errors.Is(err, ErrCursor) {
				t.Errorf("%q: %v", cursor, err)
			}
			if _, err := c.Past(context.Background(), "", cursor, 1); !errors.Is(err, ErrCursor) {
				t.Errorf("%q: %v", cursor, err)
			}
		}
	})
}

// Whoever follows sees each change once and in order, also those of another process.
func TestA1_FollowChanges(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		if err := c.Share(2); err != nil {
			t.Fatal(err)
		}
		ids := c.fill(2)
		other := c.other(t)
		after, err := c.Latest(t.Context())
		if err != nil || after != 2 {
			t.Fatalf("%d, %v", after, err)
		}
		ctx, stop := context.WithCancel(t.Context())
		told := make(chan Change, 10)
		ended := make(chan error, 1)
		go func() {
			ended <- c.Follow(ctx, after, nil, func(list []Change) {
				for _, one := range list {
					told <- one
				}
			})
		}()
		if _, err := other.Deny(t.Context(), ids[1], c.find(ids[1]).Digest, "ana", "no"); err != nil {
			t.Fatal(err)
		}
		if err := other.Refuse(t.Context(), ids[1], "assent", ""); err != nil {
			t.Fatal(err)
		}
		for i, want := range []State{Denied, Refused} {
			if got := <-told; got.Ticket != ids[1] || got.To != want || got.Serial != after+int64(i)+1 {
				t.Errorf("%+v, want %s", got, want)
			}
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// Whoever is woken does not wait for the next look.
func TestA1_FollowIsWoken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newFileStore(t)
		ctx, stop := context.WithCancel(t.Context())
		wake := make(chan struct{})
		var looked atomic.Int64
		ended := make(chan error, 1)
		go func() {
			ended <- c.Follow(ctx, 0, wake, func(list []Change) { looked.Add(int64(len(list))) })
		}()
		begin := time.Now()
		c.fill(1)
		wake <- struct{}{}
		synctest.Wait()
		if looked.Load() != 1 || time.Since(begin) > time.Millisecond {
			t.Errorf("%d changes after %s", looked.Load(), time.Since(begin))
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		c.Store.Close()
	})
}
