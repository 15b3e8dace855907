package pve_test

import "testing"

func TestClusterTasksTellRunningOnes(t *testing.T) {
	t.Parallel()
	s := newScript(t, step{request: "GET /cluster/tasks", answer: "200 OK\n" + `{"data":[` +
		`{"status":"OK","saved":"1","endtime":1795952495,"node":"pve1","upid":"UPID:pve1:000000C9:00040F0B:6B0C0F6E:vzrestore:120:root@pam!tf:","starttime":1795952494,"tokenid":"tf","id":"120","type":"vzrestore","user":"root@pam"},` +
		`{"node":"pve1","upid":"UPID:pve1:000000F6:00040F7C:6B0C0F6F:vzcreate:121:root@pam!tf:","starttime":"1795952495","tokenid":"tf","id":121,"type":"vzcreate","user":"root@pam"}]}`})
	rows, err := s.client(t).ClusterTasks(t.Context())
	if err != nil || len(rows) != 2 {
		t.Fatalf("got %v, %v", rows, err)
	}
	if rows[0].Running() || !rows[1].Running() || rows[1].ID != "121" {
		t.Errorf("got %+v", rows)
	}
}
