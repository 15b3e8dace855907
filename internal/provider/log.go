package provider

import (
	"context"
	"log/slog"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// logHandler writes the client's log lines to Terraform's log, so that the
// client knows nothing of Terraform.
type logHandler struct {
	fields map[string]any
	group  string
}

func newLogHandler() slog.Handler { return logHandler{} }

// Enabled leaves the choice of levels to Terraform.
func (h logHandler) Enabled(context.Context, slog.Level) bool { return true }

// Handle writes one line.
func (h logHandler) Handle(ctx context.Context, r slog.Record) error {
	fields := make(map[string]any, len(h.fields)+r.NumAttrs())
	for k, v := range h.fields {
		fields[k] = v
	}
	r.Attrs(func(a slog.Attr) bool {
		fields[h.group+a.Key] = a.Value.Resolve().Any()
		return true
	})
	switch {
	case r.Level >= slog.LevelError:
		tflog.Error(ctx, r.Message, fields)
	case r.Level >= slog.LevelWarn:
		tflog.Warn(ctx, r.Message, fields)
	case r.Level >= slog.LevelInfo:
		tflog.Info(ctx, r.Message, fields)
	case r.Level >= slog.LevelDebug:
		tflog.Debug(ctx, r.Message, fields)
	default:
		tflog.Trace(ctx, r.Message, fields)
	}
	return nil
}

// WithAttrs adds fields to every later line.
func (h logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	fields := make(map[string]any, len(h.fields)+len(attrs))
	for k, v := range h.fields {
		fields[k] = v
	}
	for _, a := range attrs {
		fields[h.group+a.Key] = a.Value.Resolve().Any()
	}
	return logHandler{fields: fields, group: h.group}
}

// WithGroup prefixes the names of later fields.
func (h logHandler) WithGroup(name string) slog.Handler {
	return logHandler{fields: h.fields, group: h.group + name + "."}
}
