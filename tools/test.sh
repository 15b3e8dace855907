#!/usr/bin/env bash
# Run go test with the command line tool that plugin-testing needs. Arguments go to go test.
set -euo pipefail
export TF_ACC_TERRAFORM_PATH="$CLI" CHECKPOINT_DISABLE=1
# plugin-testing serves the provider under an address; OpenTofu looks it up under its own host.
if [ "$(basename "$CLI")" = tofu ]; then
  export TF_ACC_PROVIDER_HOST=registry.opentofu.org TF_ACC_PROVIDER_NAMESPACE=hashicorp
  # It insists on a settings file that exists.
  export TF_CLI_CONFIG_FILE=${TF_CLI_CONFIG_FILE:-/dev/null}
fi
exec "${GO:-go}" test -timeout 20m "$@"
