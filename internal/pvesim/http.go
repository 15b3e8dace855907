package pvesim

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/schema"
)

// serve answers one request.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	c := &call{s: s, req: r}
	if s.control(w, r) {
		return
	}
	path := r.URL.Path
	extjs := strings.HasPrefix(path, "/api2/extjs")
	path, ok := strings.CutPrefix(strings.Replace(path, "/api2/extjs", "/api2/json", 1), "/api2/json")
	if !ok {
		http.NotFound(w, r)
		return
	}
	c.path = "/" + strings.Join(strings.FieldsFunc(path, func(r rune) bool { return r == '/' }), "/")
	data, err := s.limited(c)
	status := 200
	if refusal := (*apiError)(nil); errors.As(err, &refusal) {
		status = refusal.status
	} else if err != nil {
		status = 0 // the connection is dropped
	}
	s.record(c, status, start)
	switch {
	case errors.Is(err, errDropped):
		drop(w)
	case extjs:
		reply(w, extAnswer(data, err))
	case err != nil:
		refuse(w, err)
	default:
		reply(w, body(data))
	}
}

// limited is answer within the time that the proxy waits for it. A call that
// takes longer goes on, but its client gets 596.
// Source: PVE::APIServer::AnyEvent proxy_request.
func (s *Server) limited(c *call) (any, error) {
	type result struct {
		data any
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := s.answer(c)
		done <- result{data, err}
	}()
	limit := time.NewTimer(s.opts.CallLimit)
	defer limit.Stop()
	select {
	case r := <-done:
		return r.data, r.err
	case <-limit.C:
		return nil, &apiError{status: 596, message: "Connection timed out", silent: true}
	}
}

// answer works out what a request gets.
func (s *Server) answer(c *call) (data any, err error) {
	<-time.After(s.opts.Latency)
	if s.workers != nil {
		s.workers <- struct{}{}
		defer func() { <-s.workers }()
	}
	if c.params, err = params(c.req); err != nil {
		return nil, err
	}
	c.sent = maps.Clone(c.params)
	s.runHooks(c)
	s.mu.Lock()
	defer s.mu.Unlock()
	fault := s.takeFault(c)
	if fault != nil {
		s.sleep(fault.Delay)
		if !fault.After {
			return nil, fault.err()
		}
	}
	data, err = s.dispatch(c)
	var refusal *apiError
	if errors.As(err, &refusal) && refusal.status == 401 {
		s.sleep(s.opts.AuthDelay)
	}
	if fault != nil {
		if e := fault.err(); e != nil {
			return nil, e
		}
	}
	return data, err
}

func body(data any) object {
	if l, ok := data.(listing); ok {
		out := object{"data": l.data}
		if l.total > 0 {
			out["total"] = l.total
		}
		return out
	}
	return object{"data": data}
}

// extAnswer is the format of /api2/extjs: always status 200.
func extAnswer(data any, err error) object {
	if err == nil {
		out := body(data)
		out["success"] = 1
		return out
	}
	out := object{"success": 0, "data": nil, "message": err.Error()}
	var refusal *apiError
	if errors.As(err, &refusal) {
		out["status"], out["message"] = refusal.status, refusal.message
		if refusal.errors != nil {
			out["status"] = strconv.Itoa(refusal.status) // a text, for the exception was made from one
			out["errors"] = refusal.errors
		}
	}
	return out
}

func reply(w http.ResponseWriter, answer object) {
	w.Header().Set("Content-Type", "application/json;charset=UTF-8")
	w.Header().Set("Cache-Control", "max-age=0")
	w.Header().Set("Server", "pve-api-daemon/3.0")
	_, _ = w.Write(encodeJSON(answer))
}

func encodeJSON(v any) []byte {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}

// refuse writes an answer with a reason phrase of its own and closes the
// connection, as Proxmox does from status 400 on.
func refuse(w http.ResponseWriter, err error) {
	refusal := &apiError{status: 500, message: err.Error() + "\n"}
	errors.As(err, &refusal)
	reason, _, _ := strings.Cut(refusal.message, "\n")
	text, kind := []byte(nil), "application/json;charset=UTF-8"
	switch {
	case refusal.silent:
		kind = ""
	case refusal.bare:
		text, kind = []byte(refusal.message), ""
	default:
		answer := object{"data": nil, "message": refusal.message}
		if refusal.errors != nil {
			answer["errors"] = refusal.errors
		}
		text = encodeJSON(answer)
	}
	conn, buf, hijackErr := w.(http.Hijacker).Hijack()
	if hijackErr != nil {
		return
	}
	defer conn.Close() //nolint:errcheck // the client has its answer
	_, _ = fmt.Fprintf(buf, "HTTP/1.1 %d %s\r\nConnection: close\r\nDate: %s\r\nServer: pve-api-daemon/3.0\r\nContent-Length: %d\r\n",
		refusal.status, reason, time.Now().UTC().Format(http.TimeFormat), len(text))
	if kind != "" {
		_, _ = fmt.Fprintf(buf, "Content-Type: %s\r\n", kind)
	}
	_, _ = buf.WriteString("\r\n")
	_, _ = buf.Write(text)
	_ = buf.Flush()
}

// drop closes the connection without an answer.
func drop(w http.ResponseWriter) {
	if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
		_ = conn.Close()
	}
}

// record adds a request to the log.
func (s *Server) record(c *call, status int, start time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, Request{
		Method: c.req.Method, Path: c.path, Params: form(c.sent), Status: status, Identity: c.user.name,
	})
	if s.opts.Log != nil {
		_, _ = fmt.Fprintf(s.opts.Log, "%s %s %d %d\n", c.req.Method, c.path, status, time.Since(start).Milliseconds())
	}
}

func form(values schema.Values) url.Values {
	out := url.Values{}
	for k, v := range values {
		if v.List != nil {
			out[k] = v.List
		} else {
			out.Set(k, v.Text)
		}
	}
	return out
}
