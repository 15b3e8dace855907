package pvesim

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/crypt"
)

// ticketLifetime is how long a ticket is good. Source: PVE::AccessControl.
const ticketLifetime = 2 * time.Hour

// identity is who asks: a user "root@pam" or a token "root@pam!tf".
type identity struct{ name string }

// user is the user that a token belongs to, or the user itself.
func (i identity) user() string {
	user, _, _ := strings.Cut(i.name, "!")
	return user
}

func (i identity) token() string {
	_, token, _ := strings.Cut(i.name, "!")
	return token
}

// root tells whether this is root@pam itself; a token of root@pam never is.
func (i identity) root() bool { return i.name == "root@pam" }

// unauthorized is status 401 as the HTTP layer gives it: without a body.
func unauthorized(reason string) error {
	return &apiError{status: 401, message: reason, silent: true}
}

// open are the calls that need no credentials. Source: PVE::HTTPServer auth_handler.
var open = map[string]bool{
	"GET /access/domains": true, "GET /access/ticket": true, "POST /access/ticket": true,
}

var tokenHeader = regexp.MustCompile(`^PVEAPIToken[= ](.*)$`)

// authenticate finds out who asks; a ticket wins over a token.
func (s *Server) authenticate(c *call) error {
	if m := tokenHeader.FindStringSubmatch(c.req.Header.Get("Authorization")); m != nil && !hasTicket(c.req) {
		name, secret, _ := strings.Cut(m[1], "=")
		if !s.tokenValid(name, secret) {
			return unauthorized("Authentication failed!")
		}
		c.user = identity{name}
		if c.method != nil && c.method.NoToken {
			return denied("URI '%s' not available with API token, need proper ticket.\n", c.path)
		}
		return nil
	}
	if open[c.req.Method+" "+c.path] {
		return nil
	}
	cookie, err := c.req.Cookie("PVEAuthCookie")
	if err != nil {
		return unauthorized("No ticket")
	}
	text, err := url.PathUnescape(cookie.Value)
	if err != nil {
		text = cookie.Value
	}
	user, ok := s.ticketUser(text)
	if !ok {
		return unauthorized("Authentication failed!")
	}
	c.user = identity{user}
	if c.req.Method != http.MethodGet && !s.csrfValid(user, c.req.Header.Get("CSRFPreventionToken")) {
		return unauthorized("Permission denied - invalid csrf token")
	}
	return nil
}

func hasTicket(r *http.Request) bool {
	_, err := r.Cookie("PVEAuthCookie")
	return err == nil
}

// tokenValid checks the secret and that neither user nor token is disabled or expired.
func (s *Server) tokenValid(name, secret string) bool {
	users := s.access()
	id := identity{name}
	token := users.Tokens[name]
	return token != nil && s.secrets()[name] == secret && secret != "" &&
		!s.expired(token.Expire) && s.userEnabled(id.user())
}

func (s *Server) userEnabled(name string) bool {
	u := s.access().Users[name]
	return u != nil && u.Enable == "1" && !s.expired(u.Expire)
}

func (s *Server) expired(at string) bool {
	n, err := strconv.ParseInt(at, 10, 64)
	return err == nil && n != 0 && s.now().Unix() > n
}

// secrets are the secrets of tokens, by USER!TOKEN.
func (s *Server) secrets() map[string]string {
	out := map[string]string{}
	for line := range strings.SplitSeq(s.files["priv/token.cfg"], "\n") {
		if name, secret, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			out[name] = secret
		}
	}
	return out
}

// setSecret stores the secret of a token; an empty one removes it.
func (s *Server) setSecret(name, secret string) {
	all := s.secrets()
	delete(all, name)
	if secret != "" {
		all[name] = secret
	}
	var b strings.Builder
	for _, n := range sortedKeys(all) {
		b.WriteString(n + " " + all[n] + "\n")
	}
	s.write("priv/token.cfg", b.String())
}

// passwordValid checks a password of the realm pve, or that of root@pam.
func (s *Server) passwordValid(userid, password string) bool {
	if userid == "root@pam" && s.opts.RootPassword != "" {
		return password == s.opts.RootPassword
	}
	name, isPVE := strings.CutSuffix(userid, "@pve")
	for line := range strings.SplitSeq(s.files["priv/shadow.cfg"], "\n") {
		f := strings.Split(line, ":")
		if isPVE && len(f) > 1 && f[0] == name {
			return crypt.Matches(password, f[1]) && s.userEnabled(userid)
		}
	}
	return false
}

func (s *Server) sign(text string) []byte {
	h := hmac.New(sha256.New, s.key[:])
	h.Write([]byte(text))
	return h.Sum(nil)
}

// ticket makes a login ticket, csrf the token that goes with it.
func (s *Server) ticket(user string) string {
	plain := fmt.Sprintf("PVE:%s:%08X", user, s.now().Unix())
	return plain + "::" + base64.StdEncoding.EncodeToString(s.sign(plain))
}

func (s *Server) csrf(user string) string {
	at := fmt.Sprintf("%08X", s.now().Unix())
	return at + ":" + base64.RawStdEncoding.EncodeToString(s.sign("csrf:"+at+":"+user))
}

func (s *Server) ticketUser(ticket string) (user string, ok bool) {
	plain, _, _ := strings.Cut(ticket, "::")
	f := strings.Split(plain, ":")
	if len(f) != 3 || f[0] != "PVE" || ticket != plain+"::"+base64.StdEncoding.EncodeToString(s.sign(plain)) {
		return "", false
	}
	return f[1], s.fresh(f[2]) && s.userEnabled(f[1])
}

func (s *Server) csrfValid(user, token string) bool {
	at, sum, _ := strings.Cut(token, ":")
	return sum == base64.RawStdEncoding.EncodeToString(s.sign("csrf:"+at+":"+user)) && s.fresh(at)
}

func (s *Server) fresh(hexTime string) bool {
	at, err := strconv.ParseInt(hexTime, 16, 64)
	return err == nil && s.now().Sub(time.Unix(at, 0)) < ticketLifetime
}
