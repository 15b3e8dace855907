package pve_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

const (
	upid       = pve.UPID("UPID:pve1:000006B9:0004EDCE:6B0C11A8:vzcreate:160:tf@pve!plan:")
	upidPath   = "/nodes/pve1/tasks/UPID%3Apve1%3A000006B9%3A0004EDCE%3A6B0C11A8%3Avzcreate%3A160%3Atf%40pve%21plan%3A"
	askStatus  = "GET " + upidPath + "/status"
	askLog     = "GET " + upidPath + "/log?limit=0&start=0"
	running    = "200 OK\n" + `{"data":{"status":"running","pid":1721}}`
	warningLog = "200 OK\n" + `{"total":3,"data":[{"n":1,"t":"extracting archive"},{"n":2,"t":"WARN: old systemd (< v232) detected, container won't run in a pure cgroupv2 environment!"},{"t":"TASK WARNINGS: 1","n":3}]}`
	failureLog = "200 OK\n" + `{"total":3,"data":[{"n":1,"t":"extracting archive"},{"n":2,"t":"no space left"},{"t":"TASK ERROR: unable to create CT 160 - CT is locked (backup)","n":3}]}`
)

func stopped(exit string) string {
	return "200 OK\n" + `{"data":{"status":"stopped","exitstatus":"` + exit + `"}}`
}

func TestWait(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		steps    []step
		warnings []string
		err      string // "" is success
		kinds    string
	}{
		"the first poll is at once": {
			steps: []step{{request: askStatus, answer: stopped("OK")}}},
		"a task that takes a while": {
			steps: []step{{request: askStatus, answer: running}, {request: askStatus, answer: running}, {request: askStatus, answer: stopped("OK")}}},
		"warnings are success": {
			steps:    []step{{request: askStatus, answer: stopped("WARNINGS: 1")}, {request: askLog, answer: warningLog}},
			warnings: []string{"old systemd (< v232) detected, container won't run in a pure cgroupv2 environment!"}},
		"warnings whose log cannot be read": {
			steps: []step{{request: askStatus, answer: stopped("WARNINGS: 2")},
				{request: askLog, answer: "403 Permission check failed (/nodes/pve1, Sys.Audit)\n"}},
			warnings: []string{"the task ended with WARNINGS: 2; its log does not say which"}},
		"a failure has the end of the log": {
			steps: []step{{request: askStatus, answer: stopped("unable to create CT 160 - CT is locked (backup)")}, {request: askLog, answer: failureLog}},
			err: "task " + string(upid) + " failed: unable to create CT 160 - CT is locked (backup)\n" +
				"The task's log ends with:\n  extracting archive\n  no space left",
			kinds: "Locked"},
		"job errors are a failure": {
			steps: []step{{request: askStatus, answer: stopped("job errors")}, {request: askLog, answer: "200 OK\n" + `{"data":[]}`}},
			err:   "task " + string(upid) + " failed: job errors"},
		"a failed poll is no failed task": {
			steps: []step{{request: askStatus, answer: "595 No route to host\n"}, {request: askStatus, answer: "drop"},
				{request: askStatus, answer: "500 got timeout\n"}, {request: askStatus, answer: stopped("OK")}}},
		"a task that the node forgot": {
			steps: []step{{request: askStatus, answer: "400 Parameter verification failed.\n" +
				`{"data":null,"errors":{"upid":"no such task"},"message":"Parameter verification failed.\n"}`}},
			err:   "GET /nodes/pve1/tasks/" + string(upid) + "/status: 400 Parameter verification failed.; upid: no such task",
			kinds: "NoSuchTask Params"},
		"a task that may not be seen goes on": {
			steps: []step{{request: askStatus, answer: "403 Permission check failed (/nodes/pve1, Sys.Audit)\n"}},
			err: "the wait for task " + string(upid) + " on node pve1 ended (GET /nodes/pve1/tasks/" + string(upid) +
				"/status: 403 Permission check failed (/nodes/pve1, Sys.Audit)); the task goes on",
			kinds: "Permission"},
		"a result that was not written yet": {
			steps: []step{{request: askStatus, answer: stopped("unexpected status")}, {request: askStatus, answer: stopped("OK")}}},
		"a result that the log alone has": {
			steps: []step{{request: askStatus, answer: stopped("unexpected status")}, {request: askStatus, answer: stopped("unexpected status")},
				{request: askStatus, answer: stopped("unexpected status")}, {request: askLog, answer: "200 OK\n" + `{"data":[{"n":1,"t":"TASK OK"}]}`}}},
		"a task that was killed": {
			steps: []step{{request: askStatus, answer: stopped("unexpected status")}, {request: askStatus, answer: stopped("unexpected status")},
				{request: askStatus, answer: stopped("unexpected status")}, {request: askLog, answer: "200 OK\n" + `{"data":[{"n":1,"t":"working"}]}`}},
			err: "task " + string(upid) + " failed: unexpected status\nThe task's log ends with:\n  working"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScript(t, tc.steps...)
			result, err := s.client(t).Wait(t.Context(), upid)
			if tc.err == "" {
				if err != nil || result.UPID != upid || !cmp.Equal(tc.warnings, result.Warnings) {
					t.Errorf("got %+v, %v", result, err)
				}
				return
			}
			if err == nil || err.Error() != tc.err {
				t.Errorf("got %v\nwant %s", err, tc.err)
			}
			if got := kindsOf(err); got != tc.kinds {
				t.Errorf("kinds are %q, want %q", got, tc.kinds)
			}
		})
	}
}

func TestWaitGivesUpOnANodeThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	steps := make([]step, 0, 10)
	for range 10 {
		steps = append(steps, step{request: askStatus, answer: "595 No route to host\n"})
	}
	_, err := newScript(t, steps...).client(t).Wait(t.Context(), upid)
	still, ok := errors.AsType[*pve.StillRunningError](err)
	if !ok || still.UPID != upid || !errors.Is(err, pve.ErrUnreachable) {
		t.Errorf("got %v, want a StillRunningError", err)
	}
}

func TestANodeThatAnswersNowAndThenIsWaitedFor(t *testing.T) {
	t.Parallel()
	var steps []step //nolint:prealloc // read as a list
	for range 2 {
		for range 9 {
			steps = append(steps, step{request: askStatus, answer: "595 No route to host\n"})
		}
		steps = append(steps, step{request: askStatus, answer: running})
	}
	steps = append(steps, step{request: askStatus, answer: stopped("OK")})
	if _, err := newScript(t, steps...).client(t).Wait(t.Context(), upid); err != nil {
		t.Error(err)
	}
}

func TestACancelledWaitIsNoSuccess(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	clock := newClock()
	clock.onNext = func(int) { cancel() }
	s := newScript(t, step{request: askStatus, answer: running})
	result, err := s.client(t, func(o *pve.Options) { o.Clock = clock }).Wait(ctx, upid)
	want := "the wait for task " + string(upid) + " on node pve1 ended (context canceled); the task goes on"
	if err == nil || err.Error() != want || !errors.Is(err, context.Canceled) || result.Exit != "" {
		t.Errorf("got %+v, %v\nwant %s", result, err, want)
	}
}

func TestPausesBetweenPollsGrow(t *testing.T) {
	t.Parallel()
	steps := make([]step, 0, 12)
	for range 11 {
		steps = append(steps, step{request: askStatus, answer: running})
	}
	steps = append(steps, step{request: askStatus, answer: stopped("OK")})
	clock := newClock()
	if _, err := newScript(t, steps...).client(t, func(o *pve.Options) { o.Clock = clock }).Wait(t.Context(), upid); err != nil {
		t.Fatal(err)
	}
	pauses := clock.sleeps()
	if len(pauses) != 11 {
		t.Fatalf("%d pauses, want 11", len(pauses))
	}
	if pauses[0] < 75*time.Millisecond || pauses[0] > 125*time.Millisecond {
		t.Errorf("the first pause is %s, want about 100ms", pauses[0])
	}
	for _, p := range pauses[6:] {
		if p < 1500*time.Millisecond || p > 2500*time.Millisecond {
			t.Errorf("a late pause is %s, want about 2s", p)
		}
	}
	if slices.Equal(pauses[6:8], pauses[8:10]) {
		t.Error("the pauses are not spread")
	}
}

func TestLogIsFollowedWithoutRepeats(t *testing.T) {
	t.Parallel()
	line := func(n, text string) string { return `{"n":` + n + `,"t":"` + text + `"}` }
	s := newScript(t,
		step{request: askStatus, answer: running},
		step{request: askLog, answer: "200 OK\n" + `{"data":[` + line("1", "INFO: 10%") + `]}`},
		step{request: askStatus, answer: running},
		step{request: "GET " + upidPath + "/log?limit=0&start=1", answer: "500 got timeout\n"},
		step{request: askStatus, answer: stopped("OK")},
		step{request: "GET " + upidPath + "/log?limit=0&start=1", answer: "200 OK\n" + `{"data":[` + line("2", "INFO: 90%") + `,` + line("3", "TASK OK") + `]}`},
		// The end of the log is read once more; a line that comes again is not passed on.
		step{request: "GET " + upidPath + "/log?limit=0&start=3", answer: "200 OK\n" + `{"data":[` + line("3", "TASK OK") + `]}`},
	)
	var lines []string
	_, err := s.client(t).Wait(t.Context(), upid, pve.OnLog(func(l pve.LogLine) { lines = append(lines, l.Text) }))
	if got := strings.Join(lines, "|"); err != nil || got != "INFO: 10%|INFO: 90%|TASK OK" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestWaitForSomethingElse(t *testing.T) {
	t.Parallel()
	if _, err := newScript(t).client(t).Wait(t.Context(), "OK"); err == nil || err.Error() != `"OK" is not a task id (UPID)` {
		t.Errorf("got %v", err)
	}
}

func TestAnEmptyLog(t *testing.T) {
	t.Parallel()
	s := newScript(t, step{request: askLog, answer: "200 OK\n" + `{"total":1,"data":[{"n":1,"t":"no content"}]}`})
	if lines, err := s.client(t).TaskLog(t.Context(), upid, 0); err != nil || len(lines) != 0 {
		t.Errorf("got %v, %v", lines, err)
	}
}
