{{- define "tocsin.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" }}
{{- end }}

{{/* Stands before the name of every object. 40 characters leave room for `-heartbeat-monitor` within 63. */}}
{{- define "tocsin.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else if contains (include "tocsin.name" .) .Release.Name }}
{{- .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "tocsin.name" .) | trunc 40 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{/* The seven services, in one list with spaces: `splitList " " (include "tocsin.services" .)`. */}}
{{- define "tocsin.services" -}}
gateway alert-ingest alert-processor scheduling directory heartbeat-monitor notifier
{{- end }}

{{/* What never changes of an object's labels. Takes (dict "root" $ "component" name). */}}
{{- define "tocsin.selectorLabels" -}}
app.kubernetes.io/name: {{ include "tocsin.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/* All labels of an object. Takes (dict "root" $ "component" name). */}}
{{- define "tocsin.labels" -}}
{{ include "tocsin.selectorLabels" . }}
app.kubernetes.io/part-of: tocsin
app.kubernetes.io/version: {{ .root.Values.image.tag | default .root.Chart.AppVersion | trunc 63 | trimSuffix "-" | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- if hasPrefix "demo" .component }}
tocsin.io/demo: "true"
{{- end }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Labels of a pod: without versions, so that a new chart or tag alone replaces none, above all not the only pods of the demo's engines. Takes what "tocsin.labels" takes, and "own". */}}
{{- define "tocsin.podLabels" -}}
{{- $labels := include "tocsin.labels" . | fromYaml }}
{{- merge (dict) (.own | default dict) (omit $labels "helm.sh/chart" "app.kubernetes.io/managed-by" "app.kubernetes.io/version") | toYaml }}
{{- end }}

{{/* `annotations:` with the common ones and those of "own", or nothing. Takes (dict "root" $ "own" map). */}}
{{- define "tocsin.annotations" -}}
{{- with merge (dict) (.own | default dict) (.root.Values.commonAnnotations | default dict) -}}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "tocsin.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- .Values.serviceAccount.name | default (include "tocsin.fullname" .) }}
{{- else }}
{{- .Values.serviceAccount.name | default "default" }}
{{- end }}
{{- end }}

{{/* The image of a service. Takes (dict "root" $ "name" service). */}}
{{- define "tocsin.image" -}}
{{- $image := .root.Values.image }}
{{- $name := printf "%s%s" $image.repositoryPrefix .name }}
{{- with $image.registry | default .root.Values.global.imageRegistry }}{{ $name = printf "%s/%s" (trimSuffix "/" .) $name }}{{ end }}
{{- $digest := dig "digest" "" (include "tocsin.service" . | fromYaml) }}
{{- if $digest }}
{{- printf "%s@%s" $name $digest }}
{{- else }}
{{- printf "%s:%s" $name ($image.tag | default .root.Chart.AppVersion) }}
{{- end }}
{{- end }}

{{/* An image of the demo: in `global.imageRegistry`, unless its name begins with a host. Takes (dict "root" $ "image" name). */}}
{{- define "tocsin.demo.image" -}}
{{- $host := regexMatch "^(localhost|[^/]*[.:][^/]*)/" .image }}
{{- if and .root.Values.global.imageRegistry (not $host) }}
{{- printf "%s/%s" (trimSuffix "/" .root.Values.global.imageRegistry) .image }}
{{- else }}
{{- .image }}
{{- end }}
{{- end }}

{{/* Names of the Secrets that images are pulled with, as JSON: `global.imagePullSecrets`, which are names or `{name: …}`, and `image.pullSecrets`. */}}
{{- define "tocsin.pullSecrets" -}}
{{- $names := list }}
{{- range concat .Values.global.imagePullSecrets .Values.image.pullSecrets }}
{{- $names = append $names (kindIs "map" . | ternary (get (kindIs "map" . | ternary . dict) "name") .) }}
{{- end }}
{{- $names | uniq | toJson }}
{{- end }}
