package pve_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

func TestTrust(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		_, _ = w.Write([]byte(`{"data":{"version":"9.2.11"}}`))
	}))
	t.Cleanup(s.Close)
	sum := sha256.Sum256(s.Certificate().Raw)
	pin := hex.EncodeToString(sum[:])
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	other := strings.Repeat("AB:", 31) + "AB"

	for name, tc := range map[string]struct {
		change func(*pve.Options)
		want   error
	}{
		"a self-signed certificate is refused":    {func(*pve.Options) {}, pve.ErrUntrusted},
		"its authority is given":                  {func(o *pve.Options) { o.CAPEM = ca }, nil},
		"its fingerprint is given":                {func(o *pve.Options) { o.Fingerprint = pin }, nil},
		"its fingerprint is one of several":       {func(o *pve.Options) { o.Fingerprint = other + "," + strings.ToUpper(pin) }, nil},
		"another fingerprint is refused":          {func(o *pve.Options) { o.Fingerprint = other }, pve.ErrUntrusted},
		"nothing is verified when told so":        {func(o *pve.Options) { o.Insecure = true }, nil},
		"a pin beside the authority still counts": {func(o *pve.Options) { o.CAPEM, o.Fingerprint = ca, other }, pve.ErrUntrusted},
	} {
		t.Run(name, func(t *testing.T) {
			o := pve.Options{Endpoints: []string{s.URL}, APIToken: testToken, Clock: newClock()}
			tc.change(&o)
			c, err := pve.New(o)
			if err != nil {
				t.Fatal(err)
			}
			asked.Store(0)
			_, err = c.Version(t.Context())
			if !errors.Is(err, tc.want) {
				t.Errorf("got %v, want %v", err, tc.want)
			}
			if want := map[bool]int64{true: 1, false: 0}[tc.want == nil]; asked.Load() != want {
				t.Errorf("%d requests reached the server, want %d", asked.Load(), want)
			}
			if pinned, ok := errors.AsType[*pve.FingerprintError](err); ok && (pinned.Want[0] != other || len(pinned.Got) != len(other)) {
				t.Errorf("the error has the fingerprints %+v", pinned)
			}
		})
	}
}

func TestAPinBesideInsecureIsAMistake(t *testing.T) {
	t.Parallel()
	_, err := pve.New(pve.Options{Endpoints: []string{"https://pve1"}, APIToken: testToken, Insecure: true, Fingerprint: strings.Repeat("AB", 32)})
	const want = "Insecure: a fingerprint is given as well; it is the safe way and needs no insecure"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
