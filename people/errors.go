package people

import (
	"fmt"
	"time"
)

// BadValue: something that was given cannot be taken.
type BadValue struct {
	// Subject is what it was to be: a name, a password.
	Subject   string
	Why, Hint string
}

func (e *BadValue) Error() string {
	return fmt.Sprintf("the %s cannot be taken: %s (%s)", e.Subject, e.Why, e.Hint)
}

// Unknown: there is nobody with that name.
type Unknown struct{ Name string }

func (e *Unknown) Error() string {
	return fmt.Sprintf("there is nobody called %q (names are compared exactly; an admin can list all)", clipped(e.Name))
}

// Taken: somebody else has the name.
type Taken struct{ Name string }

func (e *Taken) Error() string {
	return fmt.Sprintf("there is somebody called %q already (choose another name; those of disabled people stay theirs)", e.Name)
}

// NotAllowed: whoever wants to change something may not do that.
type NotAllowed struct {
	Who, What, Hint string
}

func (e *NotAllowed) Error() string {
	return fmt.Sprintf("%s may not %s (%s)", e.Who, e.What, e.Hint)
}

// LastAdmin: nobody would be left who may change people.
type LastAdmin struct{ Name string }

func (e *LastAdmin) Error() string {
	return fmt.Sprintf("%s is the last admin who is enabled, and stays one (make somebody else an admin first)", e.Name)
}

// WrongSignIn: the name or the password is wrong, or nobody signs in under that name with a
// password. Which of them it is nobody is told.
type WrongSignIn struct{}

func (*WrongSignIn) Error() string {
	return "the name or the password is wrong (an admin can set a new password, and say whether you may sign in)"
}

// Throttled: there were too many wrong passwords, or too many wait to sign in. Whether this password is right
// was not looked at.
type Throttled struct{ Wait time.Duration }

func (e *Throttled) Error() string {
	return fmt.Sprintf("too many tries to sign in: wait %s and try again", e.Wait.Truncate(time.Second)+time.Second)
}

// Lapse is why a token does not count.
type Lapse uint8

// The reasons.
const (
	NoToken      Lapse = iota // nobody has it, or no longer
	TokenExpired              // its time is over
	PersonDisabled
	NotConfirmed // the other server that knows him has not stood up for him lately
)

// NotSignedIn: nobody acts by that token.
type NotSignedIn struct{ Why Lapse }

func (e *NotSignedIn) Error() string {
	switch e.Why {
	case TokenExpired:
		return "the time of this sign-in is over (sign in again)"
	case PersonDisabled:
		return "this person is disabled (an admin can enable him)"
	case NotConfirmed:
		return "the other server that knows this person has not confirmed him for 30 days, or has dropped him (sign in by that server where the page offers it, or ask an admin to enable you, or to unlink you from it)"
	case NoToken:
	}
	return "nobody is signed in by this token (sign in again)"
}

// NotAdmitted: another server knows who it is, and this one does not let him in.
type NotAdmitted struct {
	Name, Issuer string
	Why, Hint    string
}

func (e *NotAdmitted) Error() string {
	return fmt.Sprintf("%q of %s is not let in: %s (%s)", clipped(e.Name), clipped(e.Issuer), e.Why, e.Hint)
}

// Gone: there is no such token or deputy, or no longer.
type Gone struct {
	Subject string
	Number  int64
}

func (e *Gone) Error() string {
	return fmt.Sprintf("there is no %s %d any more (list them again)", e.Subject, e.Number)
}

// NotOwned: a person does not use that account, as far as anybody has said.
type NotOwned struct{ Account, Name string }

func (e *NotOwned) Error() string {
	return fmt.Sprintf("nobody has said that the account %q is that of %q (list them again)", clipped(e.Account), clipped(e.Name))
}

// Damaged: what the database has about somebody cannot be relied on, so it counts for nothing.
type Damaged struct {
	Name string
	Err  error
}

func (e *Damaged) Error() string {
	return fmt.Sprintf("what is kept about %q is damaged: %v (restore the database from a backup)", clipped(e.Name), e.Err)
}

// Unwrap returns the cause.
func (e *Damaged) Unwrap() error { return e.Err }

// AlreadyLinked: another person signs in with that identity.
type AlreadyLinked struct{ Name, Issuer, Subject string }

func (e *AlreadyLinked) Error() string {
	return fmt.Sprintf("%s is linked to the subject %q of %s (unlink him first, or link him to another one)", e.Name, clipped(e.Subject), clipped(e.Issuer))
}
