package approval

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/account"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// Where several people must say yes, each yes but the last one is a vote. Votes are for one
// run: those from before a claim count for nothing, whether or not they were removed.

// Vote is the yes of one of several people.
type Vote struct {
	// Voter is the name of the person, and By what people are shown.
	Voter, By string
	// Moment is when it was said, as whoever knows the people counts it: it depends on no clock, as At
	// does. Zero means that nobody has counted.
	Moment int64
	At     time.Time
	// Digest is that of what the yes is for, Places are the files that it leads to, and Risk is
	// the risk that the person was shown.
	Digest  string
	Places  []string
	Risk    permission.Risk
	Message string
	// Change is the digest of what the person was shown that the call does to its file. The change itself
	// is in the history.
	Change string
}

// For: the vote is for that call, for these files, and for that change of one. Only such votes count together.
func (v *Vote) For(digest string, places []string, change string) bool {
	return v.Digest == digest && v.Change == change && slices.Equal(permission.SortedPlaces(v.Places), permission.SortedPlaces(places))
}

// LastSeen is the digest of the change that whoever gave the last of some votes was shown.
func LastSeen(votes []Vote) string {
	if len(votes) == 0 {
		return ""
	}
	return votes[len(votes)-1].Change
}

// With are those of some votes that are for the same.
func (v *Vote) With(votes []Vote) []Vote {
	return slices.DeleteFunc(slices.Clone(votes), func(other Vote) bool { return !other.For(v.Digest, v.Places, v.Change) })
}

// Of: the vote is that of a person.
func (v *Vote) Of(voter string) bool { return samePerson(v.Voter, voter) }

// sameVoice: two votes are one: of the same person, or in the place of the same one, who may
// have voted himself as well. Whoever could be the same counts as one, as he does for [Requested]:
// ben may be ben@example.org at a server that knows him, and somebody else can be asked.
func (v *Vote) sameVoice(other Vote) bool {
	return account.Alike(v.Voter, other.Voter) || account.Alike(v.voice(), other.voice())
}

// voice is the person whose right it is that a vote uses.
func (v *Vote) voice() string { return cmp.Or(InPlaceOf(v.By), v.Voter) }

// forSign stands between a deputy and the person in whose place he answers. No name of a person
// has a blank in it.
const forSign = " for "

// DeputySignature is how a deputy stands under what he says in the place of a person.
func DeputySignature(deputy, person string) string { return deputy + forSign + person }

// InPlaceOf is the person in whose place an answer was given, by what it is signed with.
func InPlaceOf(by string) string {
	if _, person, deputy := strings.Cut(by, forSign); deputy {
		return person
	}
	return by
}

// tokenSign stands between a person and the number of the token with which a program of his
// answers.
const tokenSign = " (token "

// ProgramSignature is how a program stands under what it says for a person.
func ProgramSignature(person string, token int64) string {
	return fmt.Sprintf("%s%s%d)", person, tokenSign, token)
}

// signers are the names in what an answer is signed with: of the person who gave it, or whose program
// did, and of the one in whose place.
func signers(by string) []string {
	speaker, _, _ := strings.Cut(by, tokenSign)
	speaker, person, deputy := strings.Cut(speaker, forSign)
	if deputy {
		return []string{speaker, person}
	}
	return []string{speaker}
}

// Speaker is the name of the person who has given a vote, or whose program has; empty for
// somebody who has not signed in.
func (v *Vote) Speaker() string {
	if person, _, program := strings.Cut(v.By, tokenSign); program && v.Voter == "" {
		return person
	}
	return v.Voter
}

// Token is the number of the token by which a program has given a vote; false when it was the person
// himself, or somebody who has not signed in.
func (v *Vote) Token() (number int64, program bool) {
	_, rest, program := strings.Cut(v.By, tokenSign)
	if !program || v.Voter != "" {
		return 0, false
	}
	number, err := strconv.ParseInt(strings.TrimSuffix(rest, ")"), 10, 64)
	return number, err == nil
}

// voteJSON is one of the others in an answer. They are for the same files.
type voteJSON struct {
	Voter   string `json:"voter"`
	By      string `json:"by"`
	At      int64  `json:"at"`
	Digest  string `json:"digest"`
	Risk    int64  `json:"risk,omitzero"`
	Message string `json:"message,omitzero"`
	Moment  int64  `json:"moment,omitzero"`
	Change  string `json:"change,omitzero"`
}

func (v *Vote) json() voteJSON {
	return voteJSON{v.Voter, v.By, micros(v.At), v.Digest, int64(v.Risk), v.Message, v.Moment, v.Change}
}

func (v voteJSON) vote(of *Answer) Vote {
	return Vote{Voter: v.Voter, By: v.By, Moment: v.Moment, At: fromMicros(v.At), Digest: v.Digest, Places: of.Places, Risk: number{n: v.Risk}.riskOrNone(), Message: v.Message, Change: v.Change}
}

// Tally is how many people have said yes to the same, and how many must.
type Tally struct{ Have, Need int }

func (t Tally) String() string {
	return fmt.Sprintf("%d of %d people have approved; it waits for the others", t.Have, t.Need)
}

// Voted: a person has said yes to the same before, and it waits for others.
type Voted struct {
	ID   string
	Vote Vote
	Tally
}

func (e *Voted) Error() string {
	return fmt.Sprintf("%s has approved the ticket %s at %s already: %s", e.Vote.By, e.ID, e.Vote.At.Local().Format(WithZone), e.Tally)
}

// Unwrap is what the ticket is all the while.
func (e *Voted) Unwrap() error { return &WrongState{ID: e.ID, State: Pending} }

// NoVote: somebody takes a yes back whom nobody has heard say it.
type NoVote struct{ ID, Voter string }

func (e *NoVote) Error() string {
	return fmt.Sprintf("%s has no vote on the ticket %s that could be taken back (look at it again)", e.Voter, e.ID)
}

// DamagedVote is a vote on which nobody can rely. It counts for nothing, and as long as it is
// there nothing is approved: nobody can say what the person has said.
type DamagedVote struct {
	ID, Voter string
	Err       error
}

func (e *DamagedVote) Error() string {
	return fmt.Sprintf("the vote of %q on the ticket %s is damaged: %v (let that person take it back, or say yes again; or deny the call)", e.Voter, e.ID, e.Err)
}

// Unwrap returns the cause.
func (e *DamagedVote) Unwrap() error { return e.Err }

// kept is a row of the votes; bad is why nobody can rely on it.
type kept struct {
	Vote
	bad *DamagedVote
}

// votesOn are the votes that people have on a ticket, the first one first. Within a transaction
// it is read after the ticket, which is locked by then: what others vote at the same moment is
// there, or comes after the end of the transaction.
func votesOn(ctx context.Context, q database.Querier, t *Ticket) ([]kept, error) {
	rows, err := q.QueryContext(ctx, "SELECT voter, fence, at, digest, places, risk, message, who, moment, shown FROM votes WHERE ticket = $1 ORDER BY at, voter", t.ID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []kept
	for rows.Next() {
		one, fence, err := readVote(rows, t.ID)
		if err != nil {
			return nil, err
		}
		if fence.bad == nil && fence.n != t.Fence {
			continue
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

func readVote(rows *sql.Rows, ticket string) (one kept, fence number, err error) {
	var at, risk, moment number
	var places string
	if err := rows.Scan(&one.Voter, &fence, &at, &one.Digest, &places, &risk, &one.Message, &one.By, &moment, &one.Change); err != nil {
		return one, fence, err
	}
	one.At, one.Risk, one.Moment = fromMicros(at.n), risk.riskOrNone(), moment.n
	bad := errors.Join(fence.bad, at.bad, risk.bad, moment.bad)
	if places != "" {
		bad = errors.Join(bad, strictjson.Unmarshal([]byte(places), &one.Places))
	}
	if strings.TrimSpace(one.Voter) == "" || one.Digest == "" {
		bad = errors.Join(bad, errors.New("it does not say whose it is, or what for"))
	}
	if bad != nil {
		one.bad = &DamagedVote{ticket, one.Voter, bad}
	}
	return one, fence, nil
}

// Votes are the votes that people have on a ticket, the first one first. After the last one that
// it takes they are in its answer, too. Those on which nobody can rely are left out; the error
// has a [*DamagedVote] for each of them then, and the list is all the others.
func (s *Store) Votes(ctx context.Context, id string) ([]Vote, error) {
	t, err := find(ctx, s.reads(), id)
	if err != nil {
		return nil, s.db.Explain(err)
	}
	all, err := votesOn(ctx, s.reads(), &t)
	if err != nil {
		return nil, s.db.Explain(err)
	}
	var list []Vote
	var damaged []error
	for _, one := range all {
		if one.bad != nil {
			damaged = append(damaged, one.bad)
			continue
		}
		list = append(list, one.Vote)
	}
	return list, errors.Join(damaged...)
}

// Withdraw takes the vote of a person back. The error is a [*NoVote] when there is none, and a
// [*WrongState] when enough people have said yes, or somebody no: the call does not wait then.
func (s *Store) Withdraw(ctx context.Context, id, voter string) (Ticket, error) {
	var t Ticket
	err := s.db.Within(ctx, func(tx *database.Tx) error {
		var err error
		if t, err = s.current(ctx, tx, id); err != nil {
			return err
		}
		if t.State != Pending {
			return &WrongState{ID: t.ID, State: t.State, Answer: t.Answer}
		}
		had, err := dropVote(ctx, tx, t.ID, voter)
		if err != nil {
			return err
		}
		if !had {
			return &NoVote{t.ID, voter}
		}
		return s.mention(ctx, tx, t, KindWithdrawn, voter, "")
	})
	return t, err
}
