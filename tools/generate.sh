#!/usr/bin/env bash
# Write docs/ from the provider's schema, templates/ and examples/. Argument: tfplugindocs.
set -euo pipefail
cd "$(dirname "$0")/.."
schema=$(mktemp)
trap 'rm -f "$schema"' EXIT
"${GO:-go}" run ./tools/providerschema >"$schema"
# The decision records live in docs/adr, which the generator would clear away with the rest.
keep=$(mktemp -d)
cp -R docs/adr "$keep/"
"$1" generate --provider-name proxmox --rendered-provider-name Proxmox --providers-schema "$schema"
mkdir -p docs/adr
cp -R "$keep/adr/." docs/adr/
rm -rf "$keep"
