package props_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve/props"
)

type device struct {
	Model    string            `props:"model,default,required,names=virtio|e1000,for=macaddr"`
	MAC      string            `props:"macaddr"`
	Bridge   string            `props:"bridge"`
	Firewall *bool             `props:"firewall"`
	Tag      *int              `props:"tag"`
	Rate     *float64          `props:"rate"`
	Trunks   []string          `props:"trunks"`
	Rest     map[string]string `props:",rest"`
}

type mount struct {
	Volume string            `props:"volume,default,required,alias=file"`
	Path   string            `props:"mp,required"`
	Backup *bool             `props:"backup"`
	Note   *string           `props:"note"`
	Rest   map[string]string `props:",rest"`
}

type strict struct {
	Order *int `props:"order"`
}

func TestDecodeDevice(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		in    string
		want  device
		print string // what Encode makes of it
	}{
		"the model is the key of the MAC": {
			in:    "virtio=BC:24:11:00:00:01,bridge=vmbr0,firewall=1",
			want:  device{Model: "virtio", MAC: "BC:24:11:00:00:01", Bridge: "vmbr0", Firewall: new(true)},
			print: "virtio=BC:24:11:00:00:01,bridge=vmbr0,firewall=1",
		},
		"model and MAC are spelled out, in any order": {
			in:    "bridge=vmbr0,macaddr=BC:24:11:00:00:01,model=e1000",
			want:  device{Model: "e1000", MAC: "BC:24:11:00:00:01", Bridge: "vmbr0"},
			print: "e1000=BC:24:11:00:00:01,bridge=vmbr0",
		},
		"a model without MAC": {
			in:    "virtio,bridge=vmbr0",
			want:  device{Model: "virtio", Bridge: "vmbr0"},
			print: "virtio,bridge=vmbr0",
		},
		"a model that is not known is never taken for a key": {
			in:    "future9,macaddr=BC:24:11:00:00:01",
			want:  device{Model: "future9", MAC: "BC:24:11:00:00:01"},
			print: "future9,macaddr=BC:24:11:00:00:01",
		},
		"a key of a newer version overwrites nothing and is kept": {
			in: "virtio=BC:24:11:00:00:01,host-tunnel=1",
			want: device{Model: "virtio", MAC: "BC:24:11:00:00:01",
				Rest: map[string]string{"host-tunnel": "1"}},
			print: "virtio=BC:24:11:00:00:01,host-tunnel=1",
		},
		"lists, numbers and ranges": {
			in:    "virtio=BC:24:11:00:00:01,tag=5,rate=10.500,trunks=2;5-9",
			want:  device{Model: "virtio", MAC: "BC:24:11:00:00:01", Tag: new(5), Rate: new(10.5), Trunks: []string{"2", "5-9"}},
			print: "virtio=BC:24:11:00:00:01,rate=10.5,tag=5,trunks=2;5-9",
		},
		"blank parts are skipped": {
			in:    "virtio,, ,tag=1,",
			want:  device{Model: "virtio", Tag: new(1)},
			print: "virtio,tag=1",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got device
			if err := props.Decode(tc.in, &got); err != nil {
				t.Fatalf("Decode(%q): %v", tc.in, err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("Decode(%q) (-want +got):\n%s", tc.in, diff)
			}
			printed, err := props.Encode(got)
			if err != nil || printed != tc.print {
				t.Errorf("Encode = %q, %v, want %q", printed, err, tc.print)
			}
		})
	}
}

func TestBooleansInEverySpelling(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]bool{
		"1": true, "on": true, "yes": true, "true": true, "YES": true,
		"0": false, "off": false, "no": false, "false": false, "Off": false,
	} {
		var got mount
		if err := props.Decode("s:v,backup="+word, &got); err != nil {
			t.Fatal(err)
		}
		if got.Backup == nil || *got.Backup != want {
			t.Errorf("backup=%s decodes to %v, want %t", word, got.Backup, want)
		}
	}
}

func TestDecodeReplacesFormerContent(t *testing.T) {
	t.Parallel()
	got := mount{Path: "/old", Rest: map[string]string{"old": "1"}}
	if err := props.Decode("s:v", &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(mount{Volume: "s:v"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDecodeErrors(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		in   string
		want error
	}{
		"a key twice":                 {"s:v,mp=/a,mp=/b", &props.DuplicateError{Key: "mp"}},
		"a default value twice":       {"s:v,s:w", &props.DuplicateError{Key: "volume"}},
		"a key and its alias":         {"s:v,file=s:w", &props.DuplicateError{Key: "volume"}},
		"an unknown key twice":        {"s:v,x=1,x=2", &props.DuplicateError{Key: "x"}},
		"an empty value":              {"s:v,mp=", &props.SyntaxError{Part: "mp="}},
		"an empty key":                {"s:v,=x", &props.SyntaxError{Part: "=x"}},
		"a boolean that is not one":   {"s:v,backup=2", &props.ValueError{Key: "backup", Value: "2", Want: "a boolean"}},
		"an alias carries the value":  {"file=s:v,volume=s:v", &props.DuplicateError{Key: "volume"}},
		"the empty string of a value": {"s:v,backup", &props.DuplicateError{Key: "volume"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got mount
			err := props.Decode(tc.in, &got)
			if err == nil || err.Error() != tc.want.Error() {
				t.Errorf("Decode(%q) = %v, want %v", tc.in, err, tc.want)
			}
		})
	}
}

func TestDecodeNumbersStrictly(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"virtio,tag=abc", "virtio,tag=1.5", "virtio,rate=inf", "virtio,rate=nan", "virtio,rate=0x10", "virtio,tag=99999999999999999999"} {
		var got device
		var want *props.ValueError
		if err := props.Decode(in, &got); !errors.As(err, &want) {
			t.Errorf("Decode(%q) = %v, want a ValueError", in, err)
		}
	}
}

func TestDecodeWithoutDefaultOrRest(t *testing.T) {
	t.Parallel()
	var got strict
	if err := props.Decode("3", &got); err == nil {
		t.Error("a bare value is taken although there is no default key")
	}
	if err := props.Decode("unknown=3", &got); err == nil {
		t.Error("an unknown key is dropped silently")
	}
}

func TestEncodeErrors(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		in   mount
		want string
	}{
		"no volume":             {mount{Path: "/x"}, `the required key "volume" is missing`},
		"no path":               {mount{Volume: "s:v"}, `the required key "mp" is missing`},
		"a comma":               {mount{Volume: "s:v", Path: "/a,b"}, `the value "/a,b" of the key "mp" is not free of commas`},
		"a line feed":           {mount{Volume: "s:v", Path: "/a\nb"}, `the value "/a\nb" of the key "mp" is not free of control characters`},
		"a pointer to nothing":  {mount{Volume: "s:v", Path: "/a", Note: new("")}, `the value "" of the key "note" is not a value: it is empty`},
		"a comma in the rest":   {mount{Volume: "s:v", Path: "/a", Rest: map[string]string{"x": "1,mp=/b"}}, `the value "1,mp=/b" of the key "x" is not free of commas`},
		"a known key as rest":   {mount{Volume: "s:v", Path: "/a", Rest: map[string]string{"mp": "/b"}}, `the value "/b" of the key "mp" is not of a key that may be added`},
		"a key with an equals":  {mount{Volume: "s:v", Path: "/a", Rest: map[string]string{"x=y": "1"}}, `the value "1" of the key "x=y" is not of a key that may be added`},
		"a blank default value": {mount{Volume: " ", Path: "/a"}, `the value " " of the key "volume" is not a value that can stand alone`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := props.Encode(tc.in)
			if err == nil || err.Error() != tc.want {
				t.Errorf("Encode = %q, %v, want the error %s", got, err, tc.want)
			}
		})
	}
}

func TestEncodeKeysADefaultValueWithEquals(t *testing.T) {
	t.Parallel()
	got, err := props.Encode(mount{Volume: "/srv/a=b", Path: "/x"})
	if want := "volume=/srv/a=b,mp=/x"; err != nil || got != want {
		t.Errorf("Encode = %q, %v, want %q", got, err, want)
	}
}

func FuzzRoundTrip(f *testing.F) {
	for _, seed := range []string{
		"virtio=BC:24:11:00:00:01,bridge=vmbr0,firewall=1,trunks=2;5-9",
		"model=virtio,macaddr=BC:24:11:00:00:01", "e1000,rate=.5", "x=1,,virtio", "model=a=b", "virtio,rate=1e30",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		var first device
		if props.Decode(in, &first) != nil {
			return
		}
		printed, err := props.Encode(first)
		if err != nil {
			return // a required key is missing, or there is a control character
		}
		var second device
		if err := props.Decode(printed, &second); err != nil {
			t.Fatalf("Decode(%q) from %q: %v", printed, in, err)
		}
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("%q → %q (-first +second):\n%s", in, printed, diff)
		}
	})
}
