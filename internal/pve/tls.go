package pve

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

// idleTimeout is below the 5 s after which a node closes an idle connection, so
// that no request is written into one that is about to close.
// Source: PVE::APIServer::AnyEvent, timeout of new connections.
const idleTimeout = 4 * time.Second

// FingerprintError says that the certificate of a server is not the pinned one.
// It may be another machine.
type FingerprintError struct {
	Got  string   // SHA-256 as the web interface shows it
	Want []string // likewise
}

func (e *FingerprintError) Error() string {
	return fmt.Sprintf("the server's certificate has the SHA-256 fingerprint %s, not %s", e.Got, strings.Join(e.Want, " or "))
}

func newTransport(o Options) (*http.Transport, error) {
	config, err := tlsConfig(o)
	if err != nil {
		return nil, err
	}
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dialer.DialContext,
		TLSClientConfig:     config,
		TLSHandshakeTimeout: 10 * time.Second,
		MaxIdleConnsPerHost: o.MaxParallel,
		IdleConnTimeout:     idleTimeout,
	}, nil
}

func tlsConfig(o Options) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if len(o.CAPEM) != 0 {
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM(o.CAPEM) {
			return nil, &OptionError{"CAPEM", "there is no certificate in PEM form in it"}
		}
		config.RootCAs = pool
	}
	pins, err := parseFingerprints(o.Fingerprint)
	if err != nil {
		return nil, err
	}
	switch {
	case len(pins) != 0 && o.Insecure:
		return nil, &OptionError{"Insecure", "a fingerprint is given as well; it is the safe way and needs no insecure"}
	case len(pins) != 0:
		// The pin takes the place of the chain and of the host name: certificates of
		// Proxmox VE are signed by the cluster's own authority.
		config.InsecureSkipVerify = true
		config.VerifyConnection = func(s tls.ConnectionState) error { return checkPin(s, pins) }
	case o.Insecure:
		config.InsecureSkipVerify = true
	}
	return config, nil
}

func parseFingerprints(text string) ([]string, error) {
	var pins []string
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' }) {
		digits, err := hex.DecodeString(strings.ReplaceAll(part, ":", ""))
		if err != nil || len(digits) != sha256.Size {
			return nil, &OptionError{"Fingerprint", fmt.Sprintf("%q is not a SHA-256 fingerprint: 32 bytes in hexadecimal, separated by colons", part)}
		}
		pins = append(pins, colons(digits))
	}
	return pins, nil
}

func checkPin(s tls.ConnectionState, pins []string) error {
	if len(s.PeerCertificates) == 0 {
		return &FingerprintError{Got: "(none)", Want: pins}
	}
	sum := sha256.Sum256(s.PeerCertificates[0].Raw)
	if got := colons(sum[:]); !slices.Contains(pins, got) {
		return &FingerprintError{Got: got, Want: pins}
	}
	return nil
}

// colons prints a fingerprint as the web interface and pvenode show it.
func colons(digits []byte) string {
	parts := make([]string, len(digits))
	for i, b := range digits {
		parts[i] = fmt.Sprintf("%02X", b)
	}
	return strings.Join(parts, ":")
}

// untrusted reports whether a transport's error is about the certificate: asking
// again, or another node, would not help and may leak credentials.
func untrusted(err error) bool {
	if _, pinned := errors.AsType[*FingerprintError](err); pinned {
		return true
	}
	_, verification := errors.AsType[*tls.CertificateVerificationError](err)
	return verification
}
