package pve

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"
)

// Defaults of Options.
const (
	// DefaultMaxParallel is a little more than the three workers with which a node
	// serves its API. Source: PVE::Service::pveproxy, pvedaemon max_workers.
	DefaultMaxParallel = 4
	// DefaultRequestTimeout is longer than the 30 s after which the proxy between
	// two nodes gives up, so that its answer is seen.
	DefaultRequestTimeout = 60 * time.Second
)

// Options says where the API is and who is asking.
type Options struct {
	// Endpoints are addresses of nodes of one cluster, such as
	// https://pve1.example.org:8006. The next one is tried when one cannot be
	// connected to.
	Endpoints []string

	// APIToken is USER@REALM!TOKENID=SECRET. Either it or Username and Password.
	APIToken string
	Username string // USER@REALM
	Password string
	OTP      string // a time-based one-time password, for the first login

	CAPEM       []byte // certificates to trust beside the system's
	Fingerprint string // SHA-256 of the server's certificate; several separated by commas
	Insecure    bool   // trust any certificate

	MaxParallel    int           // requests at a time, DefaultMaxParallel if 0
	RequestTimeout time.Duration // for one attempt, DefaultRequestTimeout if 0

	UserAgent string
	Logger    *slog.Logger // one debug line a request; nil logs nothing
	Clock     Clock        // nil is the system's
}

// OptionError says which option cannot be used and why.
type OptionError struct{ Option, Reason string }

func (e *OptionError) Error() string { return fmt.Sprintf("%s: %s", e.Option, e.Reason) }

// normalise checks the options and fills in the defaults.
func (o Options) normalise() (Options, []*url.URL, error) {
	if len(o.Endpoints) == 0 {
		return o, nil, &OptionError{"Endpoints", "none is given"}
	}
	var bases []*url.URL
	for _, text := range o.Endpoints {
		base, err := parseEndpoint(text)
		if err != nil {
			return o, nil, err
		}
		bases = append(bases, base)
	}
	if o.MaxParallel <= 0 {
		o.MaxParallel = DefaultMaxParallel
	}
	if o.RequestTimeout <= 0 {
		o.RequestTimeout = DefaultRequestTimeout
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	if o.UserAgent == "" {
		o.UserAgent = "terraform-provider-proxmox"
	}
	return o, bases, o.checkIdentity()
}

func (o Options) checkIdentity() error {
	switch {
	case o.APIToken != "" && o.Username != "":
		return &OptionError{"APIToken", "a token and a user name are given; one of them decides who is asking"}
	case o.APIToken != "":
		return checkToken(o.APIToken)
	case o.Username == "":
		return &OptionError{"APIToken", "neither a token nor a user name is given"}
	case !strings.Contains(o.Username, "@"):
		return &OptionError{"Username", fmt.Sprintf("%q has no realm; it is written USER@REALM, such as root@pam", o.Username)}
	case o.Password == "":
		return &OptionError{"Password", "it is empty"}
	}
	return nil
}

// checkToken never repeats the token: it may be a secret in the wrong place.
func checkToken(token string) error {
	id, secret, found := strings.Cut(token, "=")
	user, name, hasName := strings.Cut(id, "!")
	if !found || !hasName || secret == "" || name == "" || !strings.Contains(user, "@") {
		return &OptionError{"APIToken", "it is not of the form USER@REALM!TOKENID=SECRET"}
	}
	if strings.ContainsAny(token, " \t\r\n") {
		return &OptionError{"APIToken", "it contains white space"}
	}
	return nil
}

func parseEndpoint(text string) (*url.URL, error) {
	base, err := url.Parse(strings.TrimSpace(text))
	if err != nil {
		var inner *url.Error
		if errors.As(err, &inner) {
			err = inner.Err
		}
		return nil, &OptionError{"Endpoints", fmt.Sprintf("not an address: %s", err)}
	}
	switch {
	case base.User != nil:
		return nil, &OptionError{"Endpoints", "an address must not carry a user name or password"}
	case base.Scheme != "https" && base.Scheme != "http", base.Host == "":
		return nil, &OptionError{"Endpoints", fmt.Sprintf("%q is not of the form https://HOST:8006", text)}
	case base.RawQuery != "" || base.Fragment != "":
		return nil, &OptionError{"Endpoints", fmt.Sprintf("%q has a query or fragment", text)}
	}
	// People paste what other tools want: with a slash, or with the API's path.
	path := strings.TrimSuffix(strings.TrimRight(base.Path, "/"), "/json")
	base.Path = strings.TrimRight(strings.TrimSuffix(path, "/api2"), "/")
	base.RawPath = ""
	return base, nil
}
