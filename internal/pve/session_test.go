package pve_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

const login = "POST /access/ticket"

func ticket(name string) string {
	return "200 OK\n" + `{"data":{"ticket":"PVE:root@pam:` + name + `::c2ln==","CSRFPreventionToken":"csrf-` + name + `","username":"root@pam"}}`
}

// carries complains unless the request has this ticket, and its CSRF token when it writes.
func carries(name string, writes bool) func(http.Header) string {
	return func(h http.Header) string {
		if got, want := h.Get("Cookie"), "PVEAuthCookie=PVE:root@pam:"+name+"::c2ln=="; got != want {
			return "the cookie is " + got + ", want " + want
		}
		want := ""
		if writes {
			want = "csrf-" + name
		}
		if got := h.Get("CSRFPreventionToken"); got != want {
			return "the CSRF token is " + got + ", want " + want
		}
		if h.Get("Authorization") != "" {
			return "a token is sent beside the ticket"
		}
		return ""
	}
}

func withPassword(clock pve.Clock, otp string) func(*pve.Options) {
	return func(o *pve.Options) {
		o.APIToken, o.Username, o.Password, o.OTP, o.Clock = "", "root@pam", "s3cr3t&=", otp, clock
	}
}

const credentials = "password=s3cr3t%26%3D\nusername=root%40pam"

func TestLoginHappensOnceAndTicketsAreUsed(t *testing.T) {
	t.Parallel()
	s := newScript(t,
		step{request: login, body: credentials, answer: ticket("one")},
		step{request: "GET /version", answer: versionAnswer, header: carries("one", false)},
		step{request: "PUT /nodes/pve1/lxc/100/config", body: "cores=2", answer: data("null"), header: carries("one", true)})
	c := s.client(t, withPassword(newClock(), ""))
	if _, err := c.Version(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := c.UpdateConfig(t.Context(), ct100, pve.ConfigChange{Set: map[string]string{"cores": "2"}}); err != nil {
		t.Fatal(err)
	}
	if !c.IsRoot() || c.IsToken() || c.User() != "root@pam" {
		t.Errorf("root %t, token %t, user %s", c.IsRoot(), c.IsToken(), c.User())
	}
}

func TestATicketIsRenewedBeforeItEnds(t *testing.T) {
	t.Parallel()
	clock := newClock()
	s := newScript(t,
		step{request: login, body: credentials, answer: ticket("one")},
		step{request: "GET /version", answer: versionAnswer, header: carries("one", false)},
		step{request: login, body: "password=PVE%3Aroot%40pam%3Aone%3A%3Ac2ln%3D%3D\nusername=root%40pam", answer: ticket("two")},
		step{request: "GET /version", answer: versionAnswer, header: carries("two", false)})
	c := s.client(t, withPassword(clock, ""))
	for range 2 {
		if _, err := c.Version(t.Context()); err != nil {
			t.Fatal(err)
		}
		clock.now = clock.now.Add(100 * time.Minute)
	}
}

func TestARefusedTicketIsReplacedOnce(t *testing.T) {
	t.Parallel()
	start := "POST /nodes/pve1/lxc/100/status/start"
	s := newScript(t,
		step{request: login, body: credentials, answer: ticket("one")},
		step{request: start, answer: "401 No ticket\n", header: carries("one", true)},
		step{request: login, body: credentials, answer: ticket("two")},
		step{request: start, answer: data(`"` + string(upid) + `"`), header: carries("two", true)},
		step{request: start, answer: "401 No ticket\n"},
		step{request: login, body: credentials, answer: ticket("three")},
		step{request: start, answer: "401 No ticket\n"})
	c := s.client(t, withPassword(newClock(), ""))
	if _, err := c.Start(t.Context(), ct100); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Start(t.Context(), ct100); !errors.Is(err, pve.ErrUnauthorized) {
		t.Errorf("got %v, want ErrUnauthorized", err)
	}
}

func TestAWrongPassword(t *testing.T) {
	t.Parallel()
	s := newScript(t, step{request: login, body: credentials,
		answer: "401 authentication failure\n" + `{"message":"authentication failure\n","data":null}`})
	_, err := s.client(t, withPassword(newClock(), "")).Version(t.Context())
	const want = "POST /access/ticket: 401 authentication failure"
	if !errors.Is(err, pve.ErrUnauthorized) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestASecondFactor(t *testing.T) {
	t.Parallel()
	challenge := "200 OK\n" + `{"data":{"ticket":"PVE:!tfa!challenge","CSRFPreventionToken":"x","NeedTFA":1,"username":"root@pam"}}`
	s := newScript(t,
		step{request: login, body: credentials, answer: challenge},
		step{request: login, body: "password=totp%3A123456\ntfa-challenge=PVE%3A%21tfa%21challenge\nusername=root%40pam", answer: ticket("one")},
		step{request: "GET /version", answer: versionAnswer, header: carries("one", false)})
	if _, err := s.client(t, withPassword(newClock(), "123456")).Version(t.Context()); err != nil {
		t.Error(err)
	}
	s = newScript(t, step{request: login, body: credentials, answer: challenge})
	_, err := s.client(t, withPassword(newClock(), "")).Version(t.Context())
	const want = "POST /access/ticket: the user root@pam has a second factor and no one-time password is given"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestOptionsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(*pve.Options)
		want   string
	}{
		"no endpoint":            {func(o *pve.Options) { o.Endpoints = nil }, "Endpoints: none is given"},
		"a host without scheme":  {func(o *pve.Options) { o.Endpoints = []string{"pve1:8006"} }, `Endpoints: "pve1:8006" is not of the form https://HOST:8006`},
		"a password in it":       {func(o *pve.Options) { o.Endpoints = []string{"https://a:hunter2@pve1"} }, "Endpoints: an address must not carry a user name or password"},
		"a token without secret": {func(o *pve.Options) { o.APIToken = "root@pam!tf" }, "APIToken: it is not of the form USER@REALM!TOKENID=SECRET"},
		"a bare secret":          {func(o *pve.Options) { o.APIToken = "11111111-2222" }, "APIToken: it is not of the form USER@REALM!TOKENID=SECRET"},
		"a token with a newline": {func(o *pve.Options) { o.APIToken += "\n" }, "APIToken: it contains white space"},
		"token and user":         {func(o *pve.Options) { o.Username = "a@pam" }, "APIToken: a token and a user name are given; one of them decides who is asking"},
		"nobody":                 {func(o *pve.Options) { o.APIToken = "" }, "APIToken: neither a token nor a user name is given"},
		"a user without realm":   {func(o *pve.Options) { o.APIToken, o.Username = "", "root" }, `Username: "root" has no realm; it is written USER@REALM, such as root@pam`},
		"no password":            {func(o *pve.Options) { o.APIToken, o.Username = "", "root@pam" }, "Password: it is empty"},
		"a short fingerprint":    {func(o *pve.Options) { o.Fingerprint = "AA:BB" }, `Fingerprint: "AA:BB" is not a SHA-256 fingerprint: 32 bytes in hexadecimal, separated by colons`},
		"no certificate":         {func(o *pve.Options) { o.CAPEM = []byte("x") }, "CAPEM: there is no certificate in PEM form in it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := pve.Options{Endpoints: []string{"https://pve1:8006"}, APIToken: testToken}
			tc.change(&o)
			_, err := pve.New(o)
			if err == nil || err.Error() != tc.want {
				t.Errorf("got %v, want %s", err, tc.want)
			}
		})
	}
}

func TestEndpointsAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	for _, suffix := range []string{"", "/", "/api2/json", "/api2/json/", "/api2"} {
		s := newScript(t, step{request: "GET /version", answer: versionAnswer})
		if _, err := s.client(t, func(o *pve.Options) { o.Endpoints[0] += suffix }).Version(t.Context()); err != nil {
			t.Errorf("%s: %v", suffix, err)
		}
	}
}
