{{/* The fewest pods that a service has. Takes its merged values. */}}
{{- define "tocsin.leastReplicas" -}}
{{- include "tocsin.scalar" (eq .autoscaling.by "none" | ternary .replicas .autoscaling.minReplicas) }}
{{- end }}

{{/*
The topics by whose lag a service is scaled: those that it settles, but alert-commands-bulk.v1 (docs/subjects/build-and-install.md). A service that
settles none has no lag to be scaled by. A test compares with docs/architecture.md.
*/}}
{{- define "tocsin.settles" -}}
alert-processor: [alert-commands.v1, decisions.v1]
scheduling: [alert-events.v1]
directory: [verification-events.v1, subscription-events.v1]
notifier: [pages.v1, notice-commands.v1, shift-notices.v1, webhook-commands.v1]
{{- end }}
