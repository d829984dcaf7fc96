package builtin

import (
	"context"
	"errors"
	"os"
	"time"
)

// waitTime is how long a file may make a reader wait.
const waitTime = time.Second

// limitWait bounds the reading of a file. Some files of the kernel seem to be plain ones
// and have nothing to say for a long time, or never come to an end. On real files there
// is no deadline, and none is needed. The caller calls what it returns when it has read.
func limitWait(ctx context.Context, f *os.File) (end func() bool) {
	_ = f.SetReadDeadline(time.Now().Add(waitTime))
	return context.AfterFunc(ctx, func() { _ = f.SetReadDeadline(time.Unix(1, 0)) })
}

// waited explains the end of such a wait.
func waited(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return errors.New("it has nothing to say for now, or no end, and was not waited for; read it with Bash and a time limit (timeout 5 head -n 20 FILE)")
	}
	return err
}
