package gecc

import "context"

// A Job is a call in the background.
type Job[Result results] struct {
	over   chan struct{}
	result Result
	err    error
}

// Submit has the call done in the background, as many at once as [Config].Jobs says; others wait for their turn. A call
// that has not begun when ctx is done is not done, and its error is ctx's; one that has begun is. Until the job is over
// the memory of columns must not be written to, nor a result used that Into was given.
func (c Call[Result]) Submit(ctx context.Context, in *Context) *Job[Result] {
	job := &Job[Result]{over: make(chan struct{})}
	if in == nil || in.state == nil {
		job.err = ErrClosed
		close(job.over)
		return job
	}
	cancelled := ctx.Done()
	go func() {
		defer close(job.over)
		select {
		case in.state.slots <- struct{}{}:
			defer func() { <-in.state.slots }()
			if job.err = ctx.Err(); job.err == nil {
				job.result, job.err = c.Run(in)
			}
		case <-cancelled:
			job.err = ctx.Err()
		}
	}()
	return job
}

// Done is closed when the job is over, so that Wait returns at once.
func (j *Job[Result]) Done() <-chan struct{} { return j.over }

// Wait waits until it is over. It may be called again, and by any goroutine.
func (j *Job[Result]) Wait() (Result, error) {
	<-j.over
	return j.result, j.err
}
