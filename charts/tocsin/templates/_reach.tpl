{{/* Labels that select every pod of this release. */}}
{{- define "tocsin.reach.everyPod" -}}
app.kubernetes.io/name: {{ include "tocsin.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/*
Who calls the HTTP port of whom: the paths that the gateway passes on, the table of internal routes in docs/architecture.md and
the look-ups of replicas at the owner of their topic. A test computes the same from that page.
*/}}
{{- define "tocsin.reach.callers" -}}
gateway: [heartbeat-monitor]
alert-ingest: [gateway, alert-processor, scheduling, directory, notifier]
alert-processor: [gateway, alert-ingest, scheduling, directory, notifier]
scheduling: [gateway, alert-ingest, alert-processor, directory, notifier]
directory: [gateway, alert-ingest, alert-processor, scheduling, heartbeat-monitor, notifier]
heartbeat-monitor: [gateway]
notifier: [gateway, alert-processor, scheduling, directory]
{{- end }}

{{/* One rule of egress by TCP. Takes (dict "to" peers, none: anywhere, "ports" numbers). */}}
{{- define "tocsin.reach.egress" -}}
- ports:
    {{- range .ports }}
    - { protocol: TCP, port: {{ include "tocsin.scalar" . }} }
    {{- end }}
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{/* The way to Kafka: to that of this release, or as `networkPolicy.egress.kafka` says. */}}
{{- define "tocsin.reach.kafka" -}}
{{- $own := list }}
{{- if .Values.demo.enabled }}
{{- $own = list (dict "podSelector" (dict "matchLabels" (include "tocsin.selectorLabels" (dict "root" . "component" "demo-kafka") | fromYaml))) }}
{{- include "tocsin.reach.egress" (dict "to" $own "ports" (list 9092)) }}
{{- else if .Values.strimzi.enabled }}
{{- $own = list (dict "podSelector" (dict "matchLabels" (dict "strimzi.io/cluster" (include "tocsin.strimzi.cluster" .)))) }}
{{- include "tocsin.reach.egress" (dict "to" $own "ports" (list 9093)) }}
{{- else }}
{{- include "tocsin.reach.egress" .Values.networkPolicy.egress.kafka }}
{{- end }}
{{- end }}

{{/* The way to MongoDB, likewise. */}}
{{- define "tocsin.reach.mongodb" -}}
{{- $own := list }}
{{- if .Values.demo.enabled }}
{{- $own = list (dict "podSelector" (dict "matchLabels" (include "tocsin.selectorLabels" (dict "root" . "component" "demo-mongodb") | fromYaml))) }}
{{- include "tocsin.reach.egress" (dict "to" $own "ports" (list 27017)) }}
{{- else if .Values.mongodbOperator.enabled }}
{{- $own = list (dict "podSelector" (dict "matchLabels" (dict "app" (printf "%s-svc" (include "tocsin.mongodbOperator.name" .))))) }}
{{- include "tocsin.reach.egress" (dict "to" $own "ports" (list 27017)) }}
{{- else }}
{{- include "tocsin.reach.egress" .Values.networkPolicy.egress.mongodb }}
{{- end }}
{{- end }}

{{/* Metadata of a policy. Takes (dict "root" $ "component" what it is about, "name" the end of its name, "own" annotations). */}}
{{- define "tocsin.reach.metadata" -}}
name: {{ include "tocsin.fullname" .root }}-{{ .name }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "tocsin.labels" . | nindent 2 }}
{{- with include "tocsin.annotations" (dict "root" .root "own" .own) }}
{{ . }}
{{- end }}
{{- end }}

{{/* The way to names of hosts. */}}
{{- define "tocsin.reach.dns" -}}
{{- $dns := .Values.networkPolicy.egress.dns -}}
- ports:
    {{- range $dns.ports }}
    - { protocol: UDP, port: {{ include "tocsin.scalar" . }} }
    - { protocol: TCP, port: {{ include "tocsin.scalar" . }} }
    {{- end }}
  {{- with $dns.to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{/* "true" where providers of messages and an OpenID provider are reached: as the values say, else unless nothing but the demo is wanted. */}}
{{- define "tocsin.reach.providers" -}}
{{- $said := .Values.networkPolicy.egress.providers.enabled }}
{{- $wanted := or (not .Values.demo.enabled) (without (concat .Values.sms.providers .Values.voice.providers) "log") .Values.push.url .Values.push.gotify.url .Values.push.pushover.url .Values.push.telegram.bot .Values.push.slack.url .Values.push.mattermost.url .Values.openid.issuer }}
{{- if kindIs "invalid" $said | ternary $wanted $said }}true{{ end }}
{{- end }}
