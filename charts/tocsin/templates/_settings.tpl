{{/* The settings of a service that are no secrets, as a YAML map of texts. Takes (dict "root" $ "name" service). */}}
{{- define "tocsin.settings" -}}
{{- $root := .root }}
{{- $values := .root.Values }}
{{- $fullname := include "tocsin.fullname" .root }}
{{- $service := include "tocsin.service" . | fromYaml }}
{{- $settings := dict
  "HOST" (include "tocsin.everyAddress" $root)
  "PORT" "3000"
  "ADMIN_HOST" (include "tocsin.everyAddress" $root)
  "ADMIN_PORT" "9000"
  "STOP_WAIT_MS" (include "tocsin.scalar" $service.stopWaitMs)
  "DATABASE_SETUP" "verify" }}
{{- $_ := mustMergeOverwrite $settings (include "tocsin.engineSettings" . | fromYaml) }}
{{- range splitList " " (include "tocsin.services" $root) }}
{{- $port := eq . "gateway" | ternary $values.gateway.service.port 3000 }}
{{- $_ := set $settings (printf "%s_URL" (. | upper | replace "-" "_")) (printf "http://%s-%s:%s" $fullname . (include "tocsin.scalar" $port)) }}
{{- end }}
{{- $_ := mustMergeOverwrite $settings (include (printf "tocsin.settings.%s" .name) $root | fromYaml) }}
{{- range $name, $value := $service.env }}
{{- $_ := set $settings $name (include "tocsin.scalar" $value) }}
{{- end }}
{{- toYaml $settings }}
{{- end }}

{{/* How Kafka and MongoDB are reached, as a YAML map of texts. Takes (dict "root" $). */}}
{{- define "tocsin.engineSettings" -}}
{{- $kafka := .root.Values.kafka -}}
MONGODB_DATABASE_PREFIX: {{ .root.Values.mongodb.databasePrefix | quote }}
KAFKA_BROKERS: {{ include "tocsin.kafka.brokers" .root | quote }}
KAFKA_TOPIC_PREFIX: {{ $kafka.topicPrefix | quote }}
{{- $access := include "tocsin.kafka.access" .root | fromYaml }}
{{- if $access.tls.enabled }}
KAFKA_SSL: "true"
{{- if $access.tls.existingSecret }}
KAFKA_SSL_CA_FILE: /etc/tocsin/kafka/ca.crt
{{- if $access.tls.clientCertificate }}
KAFKA_SSL_CERT_FILE: /etc/tocsin/kafka/tls.crt
KAFKA_SSL_KEY_FILE: /etc/tocsin/kafka/tls.key
{{- end }}
{{- end }}
{{- end }}
{{- with $access.sasl.mechanism }}
KAFKA_SASL_MECHANISM: {{ . | quote }}
{{- end }}
{{- with $access.sasl.username }}
KAFKA_SASL_USERNAME: {{ . | quote }}
{{- end }}
{{- with .root.Values.extraCaCertificates }}
{{- if .existingSecret }}
NODE_EXTRA_CA_CERTS: /etc/tocsin/ca/{{ .key }}
{{- end }}
{{- end }}
{{- end }}

{{/* Settings that only one service gets: no other has a use for them. */}}
{{- define "tocsin.settings.gateway" -}}
{{- $proxied := or .Values.gateway.ingress.enabled .Values.gateway.httpRoute.enabled | ternary 1 0 }}
TRUSTED_PROXIES: {{ include "tocsin.scalar" (kindIs "invalid" .Values.gateway.trustedProxies | ternary $proxied .Values.gateway.trustedProxies) | quote }}
{{- with include "tocsin.publicUrl" . }}
PUBLIC_URL: {{ . | quote }}
{{- end }}
# It has no database; the setting has to be there.
MONGODB_URI: mongodb://none.invalid
{{- end }}

{{- define "tocsin.settings.alert-ingest" -}}
EMAIL_DOMAIN: {{ .Values.inboundMail.domain | quote }}
{{- if .Values.webhookPresets.existingConfigMap }}
WEBHOOK_PRESETS_DIR: /etc/tocsin/presets
{{- end }}
{{- if .Values.inboundMail.enabled }}
SMTP_PORT: "2525"
{{- if .Values.inboundMail.tls.existingSecret }}
SMTP_TLS_CERT_FILE: /etc/tocsin/smtp/tls.crt
SMTP_TLS_KEY_FILE: /etc/tocsin/smtp/tls.key
{{- end }}
{{- end }}
{{- end }}

{{- define "tocsin.settings.alert-processor" -}}
ACCOUNT_TIMEZONE: {{ .Values.account.timezone | quote }}
{{- end }}

{{- define "tocsin.settings.scheduling" -}}
ACCOUNT_TIMEZONE: {{ .Values.account.timezone | quote }}
{{- end }}

{{- define "tocsin.settings.directory" -}}
ACCOUNT_NAME: {{ .Values.account.name | quote }}
ACCOUNT_TIMEZONE: {{ .Values.account.timezone | quote }}
ACCOUNT_LOCALE: {{ .Values.account.locale | quote }}
{{- with .Values.account.ownerEmail }}
OWNER_EMAIL: {{ . | quote }}
{{- end }}
{{- with .Values.push.url }}
PUSH_URL: {{ . | quote }}
{{- end }}
{{- with .Values.push.gotify.url }}
GOTIFY_URL: {{ . | quote }}
{{- end }}
{{- with .Values.push.pushover.url }}
PUSHOVER_URL: {{ . | quote }}
{{- end }}
{{- with .Values.push.slack.url }}
SLACK_URL: {{ . | quote }}
{{- end }}
{{- with .Values.push.mattermost.url }}
MATTERMOST_URL: {{ . | quote }}
{{- end }}
{{- with .Values.push.telegram.bot }}
TELEGRAM_BOT_NAME: {{ . | quote }}
{{- end }}
{{- with .Values.openid }}
{{- if .issuer }}
OPENID_ISSUER: {{ .issuer | quote }}
OPENID_CLIENT_ID: {{ required "openid.clientId is needed with openid.issuer" .clientId | quote }}
OPENID_DOMAINS: {{ required "openid.domains is needed with openid.issuer" (join "," .domains) | quote }}
{{- end }}
{{- end }}
{{- end }}

{{- define "tocsin.settings.heartbeat-monitor" -}}
{}
{{- end }}

{{- define "tocsin.settings.notifier" -}}
SMTP_URL: {{ include "tocsin.smtp.url" . | quote }}
SMTP_TLS: {{ .Values.smtp.tls | quote }}
SMTP_TLS_VERIFY: {{ .Values.smtp.tlsVerify | quote }}
SMTP_MAX_CONNECTIONS: {{ include "tocsin.scalar" .Values.smtp.maxConnections | quote }}
ACCOUNT_NAME: {{ .Values.account.name | quote }}
{{- with .Values.smtp.from }}
MAIL_FROM: {{ . | quote }}
{{- end }}
{{- with .Values.smtp.messageIdHost | default (include "tocsin.publicHost" .) }}
MESSAGE_ID_HOST: {{ . | quote }}
{{- end }}
{{- with .Values.push.url }}
PUSH_URL: {{ . | quote }}
{{- end }}
{{- with .Values.push.gotify.url }}
GOTIFY_URL: {{ . | quote }}
{{- end }}
{{- with .Values.push.pushover.url }}
PUSHOVER_URL: {{ . | quote }}
{{- end }}
{{- with .Values.push.slack.url }}
SLACK_URL: {{ . | quote }}
{{- end }}
{{- with .Values.push.mattermost.url }}
MATTERMOST_URL: {{ . | quote }}
{{- end }}
{{- range $name := list "sms" "voice" }}
{{- $method := get $.Values $name }}
{{- with $method.providers }}
{{ upper $name }}_PROVIDERS: {{ join "," . | quote }}
{{- end }}
{{- if has "http" $method.providers }}
{{ upper $name }}_HTTP_METHOD: {{ $method.gateway.method | quote }}
{{ upper $name }}_HTTP_SUCCESS_STATUS: {{ $method.gateway.successStatus | quote }}
{{- with $method.gateway.successBody }}
{{ upper $name }}_HTTP_SUCCESS_BODY: {{ . | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- range $setting, $value := dict "TWILIO_FROM" .Values.twilio.from "TWILIO_VOICE_FROM" .Values.twilio.voiceFrom "TWILIO_API_URL" .Values.twilio.apiUrl }}
{{- with $value }}
{{ $setting }}: {{ . | quote }}
{{- end }}
{{- end }}
{{- with .Values.callbackUrl }}
CALLBACK_URL: {{ . | quote }}
{{- end }}
{{- with .Values.providerRates }}
PROVIDER_RATES: {{ . | quote }}
{{- end }}
{{- with .Values.bundleLimits }}
BUNDLE_LIMITS: {{ . | quote }}
{{- end }}
{{- with include "tocsin.publicUrl" . }}
PUBLIC_URL: {{ . | quote }}
{{- end }}
{{- end }}
