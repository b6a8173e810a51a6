// Package jsonedit reads JSON by position and changes members in place. All other bytes stay.
package jsonedit
