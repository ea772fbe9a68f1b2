{{/* Name of the Secret with the signing key and the first API key. */}}
{{- define "tocsin.keys.secretName" -}}
{{- .Values.secrets.existingSecret | default (printf "%s-keys" (include "tocsin.fullname" .)) }}
{{- end }}

{{- define "tocsin.keys.signingKeyKey" -}}
{{- if .Values.secrets.existingSecret }}{{ .Values.secrets.internalSigningKeyKey }}{{ else }}INTERNAL_SIGNING_KEY{{ end }}
{{- end }}

{{- define "tocsin.keys.apiKeyKey" -}}
{{- if .Values.secrets.existingSecret }}{{ .Values.secrets.bootstrapApiKeyKey }}{{ else }}BOOTSTRAP_API_KEY{{ end }}
{{- end }}

{{/*
"true" where Helm itself talks to the API server, so that `lookup` answers. Discovery then names kinds that nobody can list;
`helm template` knows no kinds at all, and Argo CD only those that it can list.
*/}}
{{- define "tocsin.looksIntoCluster" -}}
{{- if .Capabilities.APIVersions.Has "authorization.k8s.io/v1/SelfSubjectAccessReview" }}true{{ end }}
{{- end }}

{{/* The secrets that a service is told, as a list for `env`; what is not known is not given away. Takes (dict "root" $ "name" service). */}}
{{- define "tocsin.secretEnv" -}}
{{- $root := .root -}}
- name: INTERNAL_SIGNING_KEY
  valueFrom:
    secretKeyRef:
      name: {{ include "tocsin.keys.secretName" $root }}
      key: {{ include "tocsin.keys.signingKeyKey" $root }}
{{- if eq .name "alert-ingest" }}
- name: BOOTSTRAP_API_KEY
  valueFrom:
    secretKeyRef:
      name: {{ include "tocsin.keys.secretName" $root }}
      key: {{ include "tocsin.keys.apiKeyKey" $root }}
{{- end }}
{{- if ne .name "gateway" }}
{{ include "tocsin.mongodb.env" (dict "root" $root "secret" (include "tocsin.mongodb.secretName" $root)) }}
{{- end }}
{{- with include "tocsin.kafka.secretEnv" $root }}
{{ . }}
{{- end }}
{{- with $root.Values.smtp.existingSecret }}
{{- if eq $.name "notifier" }}
- name: SMTP_USERNAME
  valueFrom:
    secretKeyRef:
      name: {{ . }}
      key: {{ $root.Values.smtp.usernameKey }}
- name: SMTP_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ . }}
      key: {{ $root.Values.smtp.passwordKey }}
{{- end }}
{{- end }}
{{- end }}

{{/* Takes (dict "root" $ "secret" name). */}}
{{- define "tocsin.mongodb.env" -}}
- name: MONGODB_URI
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ include "tocsin.mongodb.secretKey" .root }}
{{- end }}

{{- define "tocsin.kafka.secretEnv" -}}
{{- $sasl := (include "tocsin.kafka.access" . | fromYaml).sasl -}}
{{- if $sasl.mechanism -}}
{{- $secret := required "kafka.sasl.existingSecret is needed with kafka.sasl.mechanism" $sasl.existingSecret -}}
{{- if not $sasl.username -}}
- name: KAFKA_SASL_USERNAME
  valueFrom:
    secretKeyRef:
      name: {{ $secret }}
      key: {{ $sasl.usernameKey }}
{{ end -}}
- name: KAFKA_SASL_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ $secret }}
      key: {{ $sasl.passwordKey }}
{{- end }}
{{- end }}

{{/* The secrets that stand in the values: when one changes, the pods are replaced. */}}
{{- define "tocsin.givenSecrets" -}}
{{- list .Values.secrets (include "tocsin.mongodb.plainUri" .) | toJson }}
{{- end }}
