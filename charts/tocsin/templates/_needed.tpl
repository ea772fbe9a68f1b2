{{/* The Secrets that the values name, as a JSON list of {value, name, keys}: each has to be there before pods start. */}}
{{- define "tocsin.neededSecrets" -}}
{{- $values := .Values }}
{{- $withDatabase := without (splitList " " (include "tocsin.services" .)) "gateway" }}
{{- $uriKeys := list }}
{{- range $withDatabase }}{{ $uriKeys = append $uriKeys (include "tocsin.mongodb.uriKey" (dict "root" $ "name" .)) | uniq }}{{ end }}
{{- $needed := list
  (dict "value" "secrets.existingSecret" "name" $values.secrets.existingSecret "keys" (list $values.secrets.internalSigningKeyKey $values.secrets.bootstrapApiKeyKey))
  (dict "value" "mongodb.existingSecret" "name" $values.mongodb.existingSecret "keys" $uriKeys)
  (dict "value" "mongodb.tls.existingSecret" "name" $values.mongodb.tls.existingSecret)
  (dict "value" "extraCaCertificates.existingSecret" "name" $values.extraCaCertificates.existingSecret "keys" (list $values.extraCaCertificates.key))
  (dict "value" "kafka.sasl.existingSecret" "name" $values.kafka.sasl.existingSecret "keys" (list $values.kafka.sasl.usernameKey $values.kafka.sasl.passwordKey))
  (dict "value" "smtp.existingSecret" "name" $values.smtp.existingSecret "keys" (list $values.smtp.usernameKey $values.smtp.passwordKey))
  (dict "value" "push.existingSecret" "name" $values.push.existingSecret "keys" (list $values.push.tokenKey)) }}
{{- with $values.push.pushover }}
{{- if .url }}
{{- $needed = append $needed (dict "value" "push.pushover.existingSecret" "name" .existingSecret "keys" (list .tokenKey)) }}
{{- end }}
{{- end }}
{{- range $name := list "slack" "mattermost" }}
{{- with get $values.push $name }}
{{- if .url }}
{{- $needed = append $needed (dict "value" (printf "push.%s.existingSecret" $name) "name" .existingSecret "keys" (list .tokenKey)) }}
{{- end }}
{{- end }}
{{- end }}
{{- with $values.push.telegram }}
{{- if .bot }}
{{- $needed = append $needed (dict "value" "push.telegram.existingSecret" "name" .existingSecret "keys" (list .tokenKey)) }}
{{- end }}
{{- end }}
{{- with $values.openid }}
{{- if .issuer }}
{{- $needed = append $needed (dict "value" "openid.existingSecret" "name" .existingSecret "keys" (list .clientSecretKey)) }}
{{- end }}
{{- end }}
{{- with $values.kafka.tls }}
{{- $keys := .clientCertificate | ternary (list .caKey .certificateKey .privateKeyKey) (list .caKey) }}
{{- $needed = append $needed (dict "value" "kafka.tls.existingSecret" "name" .existingSecret "keys" $keys) }}
{{- end }}
{{- with $values.inboundMail }}
{{- if .enabled }}
{{- $needed = append $needed (dict "value" "inboundMail.tls.existingSecret" "name" .tls.existingSecret "keys" (list .tls.certificateKey .tls.privateKeyKey)) }}
{{- end }}
{{- end }}
{{- range $name := list "sms" "voice" }}
{{- $method := get $values $name }}
{{- if has "http" $method.providers }}
{{- $needed = append $needed (dict "value" (printf "%s.gateway.existingSecret" $name) "name" $method.gateway.existingSecret "keys" (list $method.gateway.urlKey)) }}
{{- end }}
{{- end }}
{{- if has "twilio" (concat $values.sms.providers $values.voice.providers) }}
{{- $needed = append $needed (dict "value" "twilio.existingSecret" "name" $values.twilio.existingSecret "keys" (list $values.twilio.accountSidKey $values.twilio.authTokenKey)) }}
{{- end }}
{{- with $values.mongodbOperator }}
{{- if .enabled }}
{{- $needed = append $needed (dict "value" "mongodbOperator.passwordSecret" "name" .passwordSecret "keys" $withDatabase) }}
{{- if .tls.enabled }}
{{- $needed = concat $needed (list
  (dict "value" "mongodbOperator.tls.certificateSecret" "name" .tls.certificateSecret "keys" (list "tls.crt" "tls.key"))
  (dict "value" "mongodbOperator.tls.caSecret" "name" .tls.caSecret "keys" (list "ca.crt"))) }}
{{- end }}
{{- end }}
{{- end }}
{{- if $values.helmTest.enabled }}
{{- $needed = append $needed (dict "value" "helmTest.existingSecret" "name" $values.helmTest.existingSecret "keys" (list $values.helmTest.apiKeyKey)) }}
{{- end }}
{{- range include "tocsin.pullSecrets" . | fromJsonArray }}
{{- $needed = append $needed (dict "value" "image.pullSecrets" "name" .) }}
{{- end }}
{{- $named := list }}
{{- range $needed }}{{ if .name }}{{ $named = append $named . }}{{ end }}{{ end }}
{{- $named | toJson }}
{{- end }}

{{/* What of these is not in the cluster, as one text; nothing where all is, or where Helm cannot look. */}}
{{- define "tocsin.missingSecrets" -}}
{{- $missing := list }}
{{- if and .Values.secrets.check (include "tocsin.looksIntoCluster" .) }}
{{- range $needed := include "tocsin.neededSecrets" . | fromJsonArray }}
{{- $found := lookup "v1" "Secret" $.Release.Namespace $needed.name }}
{{- if not $found }}
{{- $missing = append $missing (printf "there is no Secret %s (%s)" $needed.name $needed.value) }}
{{- else }}
{{- range $key := $needed.keys | default list }}
{{- if not (hasKey ($found.data | default dict) $key) }}
{{- $missing = append $missing (printf "the Secret %s (%s) has no key %s" $needed.name $needed.value $key) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- $missing | join "; " }}
{{- end }}
