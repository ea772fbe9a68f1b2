{{/* The names that Strimzi gives to what `strimzi.enabled` asks it for. */}}
{{- define "tocsin.strimzi.cluster" -}}
{{ include "tocsin.fullname" . }}-kafka
{{- end }}
{{- define "tocsin.strimzi.bootstrap" -}}
{{ include "tocsin.strimzi.cluster" . }}-kafka-bootstrap:9093
{{- end }}
{{/* Has the authority at the key `ca.crt`. */}}
{{- define "tocsin.strimzi.caSecret" -}}
{{ include "tocsin.strimzi.cluster" . }}-cluster-ca-cert
{{- end }}
{{/* The user; a Secret of the same name has its password at the key `password`. */}}
{{- define "tocsin.strimzi.user" -}}
{{ include "tocsin.fullname" . }}
{{- end }}

{{/* The names around `mongodbOperator.enabled`. */}}
{{- define "tocsin.mongodbOperator.name" -}}
{{ include "tocsin.fullname" . }}-mongodb
{{- end }}
{{/* Begins the names of the Secrets of a service's user; that with `-connection` has the address at the key `connectionString.standard`. Takes (dict "root" $ "name" service). */}}
{{- define "tocsin.mongodbOperator.userSecret" -}}
{{ include "tocsin.mongodbOperator.name" .root }}-{{ .name }}
{{- end }}

{{/* Every topic with its kind: packages/events/src/all-topics.ts. A test compares. */}}
{{- define "tocsin.topics" -}}
alert-commands.v1: commands
alert-commands-bulk.v1: commands
alert-events.v1: events
pages.v1: commands
notice-commands.v1: commands
shift-notices.v1: commands
webhook-commands.v1: commands
decisions.v1: events
verification-events.v1: events
subscription-events.v1: events
dead-letters.v1: events
users.v1: state
teams.v1: state
roles.v1: state
sessions.v1: state
shadow-switches.v1: state
schedules.v1: state
escalations.v1: state
integrations.v1: state
backlogs.v1: state
{{- end }}

{{/* The settings of a topic by its kind: packages/kafka/src/topic-settings.ts. A test compares. Takes the kind. */}}
{{- define "tocsin.topicSettings" -}}
{{- if eq . "state" -}}
cleanup.policy: compact
delete.retention.ms: "86400000"
min.compaction.lag.ms: "7200000"
segment.ms: "14400000"
max.message.bytes: "2048576"
{{- else -}}
cleanup.policy: delete
retention.ms: "1209600000"
retention.bytes: "-1"
max.message.bytes: "1048576"
{{- end }}
{{- if eq . "commands" }}
message.timestamp.type: LogAppendTime
{{- end }}
{{- end }}

{{/* Metadata of what an operator is asked for. Takes (dict "root" $ "component" "kafka" "name" name "cluster" Strimzi's, if any). */}}
{{- define "tocsin.operators.metadata" -}}
name: {{ .name }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "tocsin.labels" . | nindent 2 }}
  {{- with .cluster }}
  strimzi.io/cluster: {{ . }}
  {{- end }}
{{- with include "tocsin.annotations" (dict "root" .root "own" (.annotations | default dict)) }}
{{ . }}
{{- end }}
{{- end }}
