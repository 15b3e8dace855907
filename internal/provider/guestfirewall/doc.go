// Package guestfirewall is the attribute firewall of both kinds of guest: its
// schema, how it is read, and how a guest's firewall is brought to what a plan
// wants.
//
// It decides the order of the calls. A firewall is several lists that no call
// changes together, so an update passes through states in between; the order is
// such that each of them lets through only what the firewall before the update
// would, or only what the firewall after it does. An update that breaks off
// never leaves a guest more open than it was.
//
// It knows no resource: networks are handed in as Interface.
package guestfirewall
