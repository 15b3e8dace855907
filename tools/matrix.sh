#!/usr/bin/env bash
# Print the tables of the fault matrix out of the output of go test, failures as they come, and the
# sum as the last line: cells N green N. It fails unless every cell is green and there are enough.
set -euo pipefail
least=${MATRIX_LEAST:-150}
awk -v least="$least" '
  /^matrix: cells/ { cells += $3; green += $5; next }
  /^matrix \|/     { print substr($0, 8); next }
  /^ *--- FAIL/    { print; failed = 1; next }
  /^FAIL/          { failed = 1 }
  END {
    printf "cells %d green %d\n", cells, green
    exit failed || cells != green || cells < least
  }'
