{{/* Where Kafka is. */}}
{{- define "tocsin.kafka.brokers" -}}
{{- if .Values.demo.enabled }}
{{- printf "%s-demo-kafka:9092" (include "tocsin.fullname" .) }}
{{- else if .Values.strimzi.enabled }}
{{- include "tocsin.strimzi.bootstrap" . }}
{{- else }}
{{- required "kafka.brokers is needed: host:port of your Kafka. To try Tocsin without one: --set demo.enabled=true" .Values.kafka.brokers }}
{{- end }}
{{- end }}

{{/* How services log in at Kafka: `tls` and `sasl` as in `kafka`, as YAML. Strimzi's Secret has no user name, so that is here. */}}
{{- define "tocsin.kafka.access" -}}
{{- if and .Values.strimzi.enabled (not .Values.demo.enabled) -}}
tls: { enabled: true, existingSecret: {{ include "tocsin.strimzi.caSecret" . }}, caKey: ca.crt, clientCertificate: false }
sasl: { mechanism: scram-sha-512, username: {{ include "tocsin.strimzi.user" . }}, existingSecret: {{ include "tocsin.strimzi.user" . }}, passwordKey: password }
{{- else }}
{{- pick .Values.kafka "tls" "sasl" | toYaml }}
{{- end }}
{{- end }}

{{/* "true" where this release brings Kafka or MongoDB itself: nothing of them is there before its hooks. */}}
{{- define "tocsin.bringsEngines" -}}
{{- if or .Values.demo.enabled .Values.strimzi.enabled .Values.mongodbOperator.enabled }}true{{ end }}
{{- end }}

{{/* The address of the demo's MongoDB, or `mongodb.uri`; nothing where a Secret of yours has it. */}}
{{- define "tocsin.mongodb.plainUri" -}}
{{- if .Values.demo.enabled }}
{{- printf "mongodb://%s-demo-mongodb:27017/?replicaSet=rs0" (include "tocsin.fullname" .) }}
{{- else if not (or .Values.mongodb.existingSecret .Values.mongodbOperator.enabled) }}
{{- required "mongodb.existingSecret is needed: a Secret with the address of a replica set. To try Tocsin without one: --set demo.enabled=true" .Values.mongodb.uri }}
{{- end }}
{{- end }}

{{/* Name of the Secret of the chart, or of yours, that has the address of MongoDB. */}}
{{- define "tocsin.mongodb.secretName" -}}
{{- if include "tocsin.mongodb.plainUri" . }}
{{- printf "%s-mongodb" (include "tocsin.fullname" .) }}
{{- else }}
{{- .Values.mongodb.existingSecret }}
{{- end }}
{{- end }}

{{/* The key of the address of a service in your Secret. Takes (dict "root" $ "name" service). */}}
{{- define "tocsin.mongodb.uriKey" -}}
{{- get .root.Values.mongodb.uriKeys .name | default .root.Values.mongodb.uriKey }}
{{- end }}

{{/* Where mails go out by. */}}
{{- define "tocsin.smtp.url" -}}
{{- if and .Values.demo.enabled (not .Values.smtp.url) }}
{{- printf "smtp://%s-demo-mailbox:1025" (include "tocsin.fullname" .) }}
{{- else }}
{{- required "smtp.url is needed: smtp://host:port of the server that mails go out by" .Values.smtp.url }}
{{- end }}
{{- end }}
