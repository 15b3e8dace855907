package pvesim

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"
)

func init() {
	routes(map[string]handler{
		"POST /nodes/{node}/storage/{storage}/download-url": downloadURL,
		"GET /nodes/{node}/query-url-metadata":              urlMetadata,
		"GET /nodes/{node}/aplinfo":                         applianceIndex,
		"POST /nodes/{node}/aplinfo":                        applianceDownload,
	})
}

// A RemoteFile is what a download finds at a URL.
type RemoteFile struct {
	Size      int64             // bytes
	Checksums map[string]string // by algorithm; any checksum is right where there is none
	Missing   bool              // the server answers 404
}

// ServeURL decides what downloads of a URL find. Every other URL has 100 MiB
// and any checksum.
func (s *Server) ServeURL(url string, f RemoteFile) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.knobs.remote == nil {
		s.knobs.remote = map[string]RemoteFile{}
	}
	s.knobs.remote[url] = f
}

func (s *Server) remoteFile(url string) RemoteFile {
	if f, ok := s.knobs.remote[url]; ok {
		return f
	}
	return RemoteFile{Size: 100 * mib}
}

var fileExtensions = map[string]*regexp.Regexp{
	"iso":    regexp.MustCompile(`(?i)\.(iso|img)$`),
	"vztmpl": regexp.MustCompile(`\.tar\.(gz|xz|zst|bz2)$`),
	"import": regexp.MustCompile(`\.(ova|ovf|qcow2|raw|vmdk)$`),
}

// unsafe are the characters that the name of a downloaded file may not have.
// Source: PVE::Storage normalize_content_filename.
var unsafe = regexp.MustCompile(`[^a-zA-Z0-9_.\-]`)

// downloadURL fetches a file. Source: PVE::API2::Storage::Status download_url.
func downloadURL(c *call) (any, error) {
	content, url := c.str("content"), c.str("url")
	st, err := c.fileStorage(c.str("storage"), content)
	if err != nil {
		return nil, err
	}
	name := unsafe.ReplaceAllString(path.Base(c.str("filename")), "_")
	if !fileExtensions[content].MatchString(name) {
		return nil, wrong("filename", "wrong file extension")
	}
	d := &download{st: st, content: content, name: name, url: url, algorithm: c.str("checksum-algorithm"), checksum: c.str("checksum")}
	return c.fork("download", name, d.work), nil
}

// fileStorage is a storage that takes files of a type of content.
func (c *call) fileStorage(id, content string) (*storage, error) {
	st, err := c.s.usable(id, c.node.name)
	switch {
	case err != nil:
		return nil, err
	case !st.plugin().files:
		return nil, die("can't upload to storage type '%s', not a file based storage!", st.Type)
	case !st.takes(content):
		return nil, die("storage '%s' is not configured for content-type '%s'", id, content)
	}
	return st, nil
}

type download struct {
	st                  *storage
	content, name, url  string
	algorithm, checksum string
}

// work is the worker: it prints what wget prints.
// Source: PVE::Tools download_file_from_url.
func (d *download) work(t *task) error {
	s := t.s
	volid := d.st.ID + ":" + d.content + "/" + d.name
	file := d.st.subdir(d.content) + "/" + d.name
	remote := s.remoteFile(d.url)
	t.log("downloading %s to %s", d.url, file)
	if s.vol(t.node, volid) != nil {
		if d.checksum == "" {
			return die("refusing to override existing file '%s'", file)
		}
		if d.wrongSum(remote) != "" {
			return die("mismatching checksum of the existing file '%s'", file)
		}
		t.log("OK, got correct file already, no need to download")
		return nil
	}
	t.log("--%s--  %s", s.now().UTC().Format(time.DateTime), d.url)
	if remote.Missing {
		t.log("HTTP request sent, awaiting response... 404 Not Found")
		t.log("%s ERROR 404: Not Found.", s.now().UTC().Format(time.DateTime))
		return die("download failed: command '/usr/bin/wget --progress=dot:giga -O %s.tmp_dwnl.%d %s' failed: exit code 8", file, t.pid, d.url)
	}
	t.log("HTTP request sent, awaiting response... 200 OK")
	t.log("Length: %d (%dM)", remote.Size, remote.Size/mib)
	for _, percent := range []int64{25, 50, 75} {
		t.log("%6dK ........ ........ ........ ........ %2d%%  105M 1s", remote.Size*(percent-25)/100/kib, percent)
	}
	if err := t.work(); err != nil {
		return err
	}
	t.log("%6dK ........ ........ ........ ........100%%  105M=1s", remote.Size*75/100/kib)
	if d.checksum != "" {
		if got := d.wrongSum(remote); got != "" {
			return die("checksum mismatch: got '%s' != expect '%s'", got, d.checksum)
		}
		t.log("calculating checksum...OK, checksum verified")
	}
	if s.knobs.full[d.st.ID] {
		return die("unable to save file: No space left on device")
	}
	s.putVol(&volume{Node: t.node, ID: volid, Size: remote.Size})
	t.log("download of '%s' to '%s' finished", d.url, file)
	return nil
}

// wrongSum is the checksum of the file if it is not the one that is expected.
func (d *download) wrongSum(f RemoteFile) string {
	sum, known := f.Checksums[d.algorithm]
	if !known || strings.EqualFold(sum, d.checksum) {
		return ""
	}
	return sum
}

func urlMetadata(c *call) (any, error) {
	f := c.s.remoteFile(c.str("url"))
	if f.Missing {
		return nil, die("invalid server response: '404 Not Found'")
	}
	return object{"filename": path.Base(c.str("url")), "mimetype": "application/octet-stream", "size": f.Size}, nil
}

// appliances are the templates that the catalogue offers.
var appliances = []object{
	appliance("alpine-3.22-default_20250617_amd64.tar.xz", "alpine", "20250617", "alpine-3.22", "LXC default image for alpine 3.22"),
	appliance("debian-12-standard_12.12-1_amd64.tar.zst", "debian-12-standard", "12.12-1", "debian-12", "Debian 12 Bookworm (standard)"),
	appliance("debian-13-standard_13.1-2_amd64.tar.zst", "debian-13-standard", "13.1-2", "debian-13", "Debian 13 Trixie (standard)"),
	appliance("ubuntu-24.04-standard_24.04-2_amd64.tar.zst", "ubuntu-24.04-standard", "24.04-2", "ubuntu-24.04", "Ubuntu 24.04 Noble (standard)"),
}

func appliance(file, name, version, os, headline string) object {
	return object{
		"template": file, "package": name, "version": version, "os": os, "section": "system", "type": "lxc", "architecture": "amd64",
		"headline": headline, "description": headline, "source": "http://download.proxmox.com/images",
		"location": "http://download.proxmox.com/images/system/" + file, "infopage": "https://pve.proxmox.com/wiki/Linux_Container#pct_supported_distributions",
		"maintainer": "Proxmox Support Team <support@proxmox.com>", "sha512sum": fmt.Sprintf("%0128x", len(file)),
	}
}

func applianceIndex(*call) (any, error) { return appliances, nil }

// applianceDownload fetches a template of the catalogue.
// Source: PVE::API2::Nodes apl_download.
func applianceDownload(c *call) (any, error) {
	for _, a := range appliances {
		if a["template"] != c.str("template") {
			continue
		}
		st, err := c.fileStorage(c.str("storage"), "vztmpl")
		if err != nil {
			return nil, err
		}
		d := &download{st: st, content: "vztmpl", name: c.str("template"), url: a["location"].(string), algorithm: "sha512", checksum: a["sha512sum"].(string)}
		return c.fork("download", c.str("template"), d.work), nil
	}
	return nil, wrong("template", "no such template")
}
