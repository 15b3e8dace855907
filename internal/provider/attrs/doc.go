// Package attrs holds what every schema of the provider shares: questions about
// attribute values, the type of a size, and plan modifiers that compare by
// meaning instead of by spelling.
//
// It lifts rules of the rule packages into the framework. It knows no resource,
// no client and no text of a resource.
package attrs
