package permission

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// FaultError is a mistake in assent itself that kept a call from being judged. The call is
// denied: what could not be judged must not run, and the process goes on with the next one. A
// stack that is full cannot be caught; what reads a text bounds its own depth.
type FaultError struct {
	Fault any    // what was panicked with
	At    string // file and line
}

func (e *FaultError) Error() string {
	return fmt.Sprintf("assent failed while it judged this call (%v at %s), so that it is denied: please report it; a person can run it themselves", e.Fault, e.At)
}

// Failed is the decision about a call that could not be judged.
func Failed(err *FaultError) (d Decision) {
	d.end(StageCheck, Deny, Reason{Kind: ByFault, Detail: err.Error()})
	return d
}

// catch is where the panic of a judgement ends. It must be deferred itself.
func catch(failed func(*FaultError)) {
	if fault := recover(); fault != nil {
		failed(&FaultError{Fault: fault, At: panicked()})
	}
}

// panicked is the place where the panic began: the first that is not the runtime's.
func panicked() string {
	callers := make([]uintptr, 32)
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers)])
	for {
		frame, more := frames.Next()
		if frame.Function != "" && !strings.HasPrefix(frame.Function, "runtime.") {
			dir, file := path.Split(frame.File)
			return fmt.Sprintf("%s/%s:%d", path.Base(dir), file, frame.Line)
		}
		if !more {
			return "an unknown place"
		}
	}
}
