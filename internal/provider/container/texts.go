package container

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

func unreadableKey(key string, err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic(fmt.Sprintf("The key %s of the container's configuration cannot be read", key),
		fmt.Sprintf("It says: %v. Nothing has been changed.\n\nMend the line on the node with pct set or an editor, then plan again.", err))
}
