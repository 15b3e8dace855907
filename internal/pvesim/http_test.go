package pvesim_test

import (
	"bufio"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// raw sends a request as it stands and returns the answer up to the end of
// its connection, or all of a short one that stays open.
func raw(t *testing.T, c *client, request string) (status, body string, closed bool) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.sim.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // the answer was read
	request = strings.ReplaceAll(request, "TOKEN", "Host: x\nAuthorization: PVEAPIToken="+c.token)
	if _, err := io.WriteString(conn, strings.ReplaceAll(request, "\n", "\r\n")); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	status, err = in.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	length := 0
	for {
		line, err := in.ReadString('\n')
		if err != nil || strings.TrimSpace(line) == "" {
			break
		}
		if name, value, _ := strings.Cut(strings.TrimSpace(line), ": "); name == "Content-Length" {
			for _, digit := range value {
				length = length*10 + int(digit-'0')
			}
		}
		closed = closed || strings.EqualFold(strings.TrimSpace(line), "Connection: close")
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(in, text); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(status), string(text), closed
}

// TestProtocol holds the oddities of the HTTP layer, as they were recorded.
func TestProtocol(t *testing.T) {
	t.Parallel()
	c := start(t, pvesim.Options{})
	c.create("100")
	form := func(body string) string {
		return "PUT /api2/json/nodes/pve1/lxc/100/config HTTP/1.1\nTOKEN\nContent-Type: application/x-www-form-urlencoded\nContent-Length: " +
			itoa(len(body)) + "\n\n" + body
	}
	for name, tc := range map[string]struct{ request, status, body string }{
		"an unknown path": {
			"GET /api2/json/nosuch HTTP/1.1\nTOKEN\n\n", "HTTP/1.1 501 Method 'GET /nosuch' not implemented",
			`{"data":null,"message":"Method 'GET /nosuch' not implemented"}`,
		},
		"an unknown verb": {"PATCH /api2/json/version HTTP/1.1\nTOKEN\n\n", "HTTP/1.1 501 method 'PATCH' not available", ""},
		"a body where none is allowed": {
			"DELETE /api2/json/nodes/pve1/lxc/100 HTTP/1.1\nTOKEN\nContent-Length: 7\n\npurge=1", "HTTP/1.1 501 Unexpected content for method 'DELETE'",
			"Unexpected content for method 'DELETE'",
		},
		"no credentials": {"GET /api2/json/version HTTP/1.1\nHost: x\n\n", "HTTP/1.1 401 No ticket", ""},
		"a missing guest": {
			"GET /api2/json/nodes/pve1/lxc/4711/config HTTP/1.1\nTOKEN\n\n",
			"HTTP/1.1 500 Configuration file 'nodes/pve1/lxc/4711.conf' does not exist",
			`{"data":null,"message":"Configuration file 'nodes/pve1/lxc/4711.conf' does not exist\n"}`,
		},
		"what follows a second = is lost": {
			form("net0=name=eth0,bridge=vmbr0"), "HTTP/1.1 400 Parameter verification failed.",
			`{"data":null,"errors":{"net0":"invalid format - value without key, but schema does not define a default key\n"},"message":"Parameter verification failed.\n"}`,
		},
		"a semicolon parts fields": {
			form("description=x;y"), "HTTP/1.1 400 Parameter verification failed.",
			`{"data":null,"errors":{"y":"property is not defined in schema and the schema does not allow additional properties"},"message":"Parameter verification failed.\n"}`,
		},
		"the format extjs has its status inside": {
			"GET /api2/extjs/nodes/pve1/lxc/4711/config HTTP/1.1\nTOKEN\n\n", "HTTP/1.1 200 OK",
			`{"data":null,"message":"Configuration file 'nodes/pve1/lxc/4711.conf' does not exist\n","status":500,"success":0}`,
		},
		"slashes too many": {
			"GET /api2/json//cluster/nextid/ HTTP/1.1\nTOKEN\n\n", "HTTP/1.1 200 OK", `{"data":"101"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, body, closed := raw(t, c, tc.request)
			if status != tc.status || body != tc.body {
				t.Errorf("got %s\n%s\nwant %s\n%s", status, body, tc.status, tc.body)
			}
			if refused := !strings.HasSuffix(status, "200 OK"); refused != closed {
				t.Errorf("%s: connection closed = %t", status, closed)
			}
		})
	}
}
