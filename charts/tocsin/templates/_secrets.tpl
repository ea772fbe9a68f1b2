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

{{- define "tocsin.keys.vapidPrivateKeyKey" -}}
{{- if .Values.secrets.existingSecret }}{{ .Values.secrets.vapidPrivateKeyKey }}{{ else }}VAPID_PRIVATE_KEY{{ end }}
{{- end }}

{{/*
"true" where Helm itself talks to the API server, so that `lookup` answers. Discovery then names kinds that can not be listed;
`helm template` knows no kinds at all, and Argo CD only those that it can list.
*/}}
{{- define "tocsin.looksIntoCluster" -}}
{{- if .Capabilities.APIVersions.Has "authorization.k8s.io/v1/SelfSubjectAccessReview" }}true{{ end }}
{{- end }}

{{/* The secrets that a service gets, as a list for `env`; a service cannot leak a secret that it does not have. Takes (dict "root" $ "name" service). */}}
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
{{ include "tocsin.mongodb.env" (dict "root" $root "name" .name "secret" (include "tocsin.mongodb.secretName" $root)) }}
{{- end }}
{{- with include "tocsin.kafka.secretEnv" $root }}
{{ . }}
{{- end }}
{{- if and (eq .name "directory") $root.Values.openid.issuer }}
{{- $secret := required "openid.existingSecret is needed with openid.issuer" $root.Values.openid.existingSecret }}
{{- include "tocsin.secretVariable" (dict "name" "OPENID_CLIENT_SECRET" "secret" $secret "key" $root.Values.openid.clientSecretKey) }}
{{- end }}
{{- if eq .name "notifier" }}
{{- include "tocsin.secretVariable" (dict "name" "VAPID_PRIVATE_KEY" "secret" (include "tocsin.keys.secretName" $root) "key" (include "tocsin.keys.vapidPrivateKeyKey" $root) "optional" true) }}
{{- include "tocsin.channels.secretEnv" $root }}
{{- end }}
{{- end }}

{{/* What the notifier proves itself by to those who carry its messages. */}}
{{- define "tocsin.channels.secretEnv" -}}
{{- $twilio := .Values.twilio -}}
{{- with .Values.smtp }}
{{- include "tocsin.secretVariable" (dict "name" "SMTP_USERNAME" "secret" .existingSecret "key" .usernameKey) }}
{{- include "tocsin.secretVariable" (dict "name" "SMTP_PASSWORD" "secret" .existingSecret "key" .passwordKey) }}
{{- end }}
{{- range $name := list "sms" "voice" }}
{{- $method := get $.Values $name }}
{{- if has "http" $method.providers }}
{{- $secret := required (printf "%s.gateway.existingSecret is needed for the provider http: its key %s is where messages go" $name $method.gateway.urlKey) $method.gateway.existingSecret }}
{{- $prefix := printf "%s_HTTP" (upper $name) }}
{{- include "tocsin.secretVariable" (dict "name" (printf "%s_URL" $prefix) "secret" $secret "key" $method.gateway.urlKey) }}
{{- include "tocsin.secretVariable" (dict "name" (printf "%s_HEADERS" $prefix) "secret" $secret "key" $method.gateway.headersKey "optional" true) }}
{{- include "tocsin.secretVariable" (dict "name" (printf "%s_BODY" $prefix) "secret" $secret "key" $method.gateway.bodyKey "optional" true) }}
{{- if eq $name "sms" }}
{{- include "tocsin.secretVariable" (dict "name" (printf "%s_REPLY_TOKEN" $prefix) "secret" $secret "key" $method.gateway.replyTokenKey "optional" true) }}
{{- end }}
{{- end }}
{{- end }}
{{- if or (has "twilio" .Values.sms.providers) (has "twilio" .Values.voice.providers) }}
{{- $secret := required "twilio.existingSecret is needed for the provider twilio" $twilio.existingSecret }}
{{- include "tocsin.secretVariable" (dict "name" "TWILIO_ACCOUNT_SID" "secret" $secret "key" $twilio.accountSidKey) }}
{{- include "tocsin.secretVariable" (dict "name" "TWILIO_AUTH_TOKEN" "secret" $secret "key" $twilio.authTokenKey) }}
{{- end }}
{{- with .Values.push }}
{{- include "tocsin.secretVariable" (dict "name" "PUSH_TOKEN" "secret" .existingSecret "key" .tokenKey) }}
{{- with .pushover }}
{{- if .url }}
{{- $secret := required "push.pushover.existingSecret is needed with push.pushover.url" .existingSecret }}
{{- include "tocsin.secretVariable" (dict "name" "PUSHOVER_TOKEN" "secret" $secret "key" .tokenKey) }}
{{- end }}
{{- end }}
{{- range $name := list "slack" "mattermost" }}
{{- with get $.Values.push $name }}
{{- if .url }}
{{- $secret := required (printf "push.%s.existingSecret is needed with push.%s.url" $name $name) .existingSecret }}
{{- include "tocsin.secretVariable" (dict "name" (printf "%s_BOT_TOKEN" (upper $name)) "secret" $secret "key" .tokenKey) }}
{{- end }}
{{- end }}
{{- end }}
{{- with .telegram }}
{{- if .bot }}
{{- $secret := required "push.telegram.existingSecret is needed with push.telegram.bot" .existingSecret }}
{{- include "tocsin.secretVariable" (dict "name" "TELEGRAM_BOT_TOKEN" "secret" $secret "key" .tokenKey) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* One variable of a container; nothing without a Secret. Takes (dict "name" variable "secret" name "key" key "optional" whether it may be missing). */}}
{{- define "tocsin.secretVariable" -}}
{{- if .secret }}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
      {{- if .optional }}
      optional: true
      {{- end }}
{{- end }}
{{- end }}

{{/* The address of MongoDB for one service, with a user of its own where there is one. Takes (dict "root" $ "name" service "secret" name of the chart's or of yours). */}}
{{- define "tocsin.mongodb.env" -}}
- name: MONGODB_URI
  valueFrom:
    secretKeyRef:
      {{- if .root.Values.mongodbOperator.enabled }}
      name: {{ include "tocsin.mongodbOperator.userSecret" . }}-connection
      key: connectionString.standard
      {{- else }}
      name: {{ .secret }}
      key: {{ if include "tocsin.mongodb.plainUri" .root }}uri{{ else }}{{ include "tocsin.mongodb.uriKey" . }}{{ end }}
      {{- end }}
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

{{/* The keys of the Secret of the chart: what was given, else what is kept, else a new one, which is made once in a render. */}}
{{- define "tocsin.keys.data" -}}
{{- if not (hasKey .Values.secrets "made") }}
{{- $given := .Values.secrets }}
{{- $kept := dig "data" dict (lookup "v1" "Secret" .Release.Namespace (include "tocsin.keys.secretName" .) | default dict) }}
{{- $_ := set .Values.secrets "made" (dict
  "INTERNAL_SIGNING_KEY" ($given.internalSigningKey | b64enc | default (get $kept "INTERNAL_SIGNING_KEY") | default (randAlphaNum 48 | b64enc))
  "BOOTSTRAP_API_KEY" ($given.bootstrapApiKey | b64enc | default (get $kept "BOOTSTRAP_API_KEY") | default (uuidv4 | b64enc))) }}
{{- /* Where Helm cannot look into the cluster, each render would make another. */}}
{{- $vapid := $given.vapidPrivateKey | b64enc | default (get $kept "VAPID_PRIVATE_KEY") }}
{{- if and (not $vapid) (include "tocsin.looksIntoCluster" .) }}{{ $vapid = randBytes 32 | b64enc }}{{ end }}
{{- if $vapid }}{{ $_ := set .Values.secrets.made "VAPID_PRIVATE_KEY" $vapid }}{{ end }}
{{- end }}
{{- toYaml .Values.secrets.made }}
{{- end }}

{{/* What is in the Secrets that the chart makes: when it changes, the pods are replaced. */}}
{{- define "tocsin.madeSecrets" -}}
{{- $keys := "" }}
{{- if not .Values.secrets.existingSecret }}{{ $keys = include "tocsin.keys.data" . }}{{ end }}
{{- list $keys (include "tocsin.mongodb.plainUri" .) | toJson }}
{{- end }}
