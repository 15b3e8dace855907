package pve

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A ticket is valid for two hours and is renewed well before that.
// Source: PVE::AccessControl $ticket_lifetime.
const renewAfter = 90 * time.Minute

// identity is what a request identifies itself with.
type identity struct {
	token  string
	ticket string
	csrf   string
}

// apply sets the headers. A cookie would win over a token, so there is one of them.
// Source: PVE::APIServer::Formatter extract_auth_value.
func (i identity) apply(h http.Header, method string) {
	for _, name := range []string{"Authorization", "Cookie", "CSRFPreventionToken"} {
		h.Del(name)
	}
	switch {
	case i.token != "":
		h.Set("Authorization", "PVEAPIToken="+i.token)
	case i.ticket != "":
		h.Set("Cookie", "PVEAuthCookie="+i.ticket)
		if method != http.MethodGet {
			h.Set("CSRFPreventionToken", i.csrf)
		}
	}
}

// secrets are the texts of an identity that may stand nowhere else.
func (i identity) secrets() []string {
	var s []string
	if _, secret, ok := strings.Cut(i.token, "="); ok {
		s = append(s, secret)
	}
	for _, text := range []string{i.ticket, i.csrf} {
		if text != "" {
			s = append(s, text)
		}
	}
	return s
}

// session logs in with a user name and a password and keeps the ticket fresh.
type session struct {
	username, password, otp string

	mu    sync.Mutex
	now   identity
	since time.Time
}

// identity returns a ticket that is good for a while, logging in when needed.
func (s *session) identity(ctx context.Context, c *Client) (identity, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now.ticket != "" && c.clock.Now().Sub(s.since) < renewAfter {
		return s.now, nil
	}
	err := s.login(ctx, c)
	return s.now, err
}

// renew replaces a ticket that the server refused, unless another request has done
// so meanwhile.
func (s *session) renew(ctx context.Context, c *Client, refused string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now.ticket != refused {
		return nil
	}
	s.now = identity{}
	return s.login(ctx, c)
}

// login extends the ticket at hand, which stands in for the password and asks for
// no second factor, or else starts from the password.
func (s *session) login(ctx context.Context, c *Client) error {
	if s.now.ticket != "" {
		reply, err := s.ask(ctx, c, Params{"username": s.username, "password": s.now.ticket})
		if err == nil && !bool(reply.NeedTFA) {
			return s.accept(c, reply)
		}
		if err != nil && !errors.Is(err, ErrUnauthorized) {
			return err
		}
		s.now = identity{}
	}
	reply, err := s.ask(ctx, c, Params{"username": s.username, "password": s.password})
	if err != nil {
		return err
	}
	if reply.NeedTFA {
		if reply, err = s.secondFactor(ctx, c, reply); err != nil {
			return err
		}
	}
	return s.accept(c, reply)
}

func (s *session) secondFactor(ctx context.Context, c *Client, first ticketReply) (ticketReply, error) {
	if s.otp == "" {
		return first, &Error{Method: http.MethodPost, Path: "/access/ticket",
			Message: "the user " + s.username + " has a second factor and no one-time password is given",
			causes:  []error{ErrUnauthorized}}
	}
	return s.ask(ctx, c, Params{
		"username":      s.username,
		"password":      "totp:" + s.otp,
		"tfa-challenge": first.Ticket,
	})
}

type ticketReply struct {
	Ticket  string `json:"ticket"`
	CSRF    string `json:"CSRFPreventionToken"`
	NeedTFA Bool   `json:"NeedTFA"`
}

func (s *session) ask(ctx context.Context, c *Client, p Params) (ticketReply, error) {
	r := post(p, "access", "ticket")
	r.noIdentity = true
	return call[ticketReply](ctx, c, r)
}

func (s *session) accept(c *Client, reply ticketReply) error {
	if reply.Ticket == "" || reply.CSRF == "" {
		return &Error{Method: http.MethodPost, Path: "/access/ticket",
			Message: "the answer carries no ticket", causes: []error{ErrProtocol}}
	}
	s.now = identity{ticket: reply.Ticket, csrf: reply.CSRF}
	s.since = c.clock.Now()
	return nil
}
