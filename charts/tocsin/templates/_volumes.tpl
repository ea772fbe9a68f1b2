{{/* Files that a service reads, and its `/tmp`. Takes (dict "root" $ "name" service "tmp" size). */}}
{{- define "tocsin.volumes" -}}
{{- $values := .root.Values -}}
- name: tmp
  emptyDir:
    sizeLimit: {{ .tmp }}
{{- with $values.extraCaCertificates.existingSecret }}
- name: ca
  secret:
    secretName: {{ . }}
    defaultMode: 288 # 0440
{{- end }}
{{- with (include "tocsin.kafka.access" .root | fromYaml).tls }}
{{- if and .enabled .existingSecret }}
- name: kafka-tls
  secret:
    secretName: {{ .existingSecret }}
    defaultMode: 288 # 0440
    items:
      - { key: {{ .caKey | quote }}, path: ca.crt }
      {{- if .clientCertificate }}
      - { key: {{ .certificateKey | quote }}, path: tls.crt }
      - { key: {{ .privateKeyKey | quote }}, path: tls.key }
      {{- end }}
{{- end }}
{{- end }}
{{- if and $values.mongodb.tls.existingSecret (ne .name "gateway") }}
- name: mongodb-tls
  secret:
    secretName: {{ $values.mongodb.tls.existingSecret }}
    defaultMode: 288 # 0440
{{- end }}
{{- if and $values.webhookPresets.existingConfigMap (eq .name "alert-ingest") }}
- name: presets
  configMap:
    name: {{ $values.webhookPresets.existingConfigMap }}
{{- end }}
{{- with $values.inboundMail }}
{{- if and .enabled .tls.existingSecret (eq $.name "alert-ingest") }}
- name: smtp-tls
  secret:
    secretName: {{ .tls.existingSecret }}
    defaultMode: 288 # 0440
    items:
      - { key: {{ .tls.certificateKey | quote }}, path: tls.crt }
      - { key: {{ .tls.privateKeyKey | quote }}, path: tls.key }
{{- end }}
{{- end }}
{{- end }}

{{/* Where those are. Takes (dict "root" $ "name" service). */}}
{{- define "tocsin.volumeMounts" -}}
{{- $values := .root.Values -}}
- name: tmp
  mountPath: /tmp
{{- if $values.extraCaCertificates.existingSecret }}
- name: ca
  mountPath: /etc/tocsin/ca
  readOnly: true
{{- end }}
{{- $tls := (include "tocsin.kafka.access" .root | fromYaml).tls }}
{{- if and $tls.enabled $tls.existingSecret }}
- name: kafka-tls
  mountPath: /etc/tocsin/kafka
  readOnly: true
{{- end }}
{{- if and $values.mongodb.tls.existingSecret (ne .name "gateway") }}
- name: mongodb-tls
  mountPath: /etc/tocsin/mongodb
  readOnly: true
{{- end }}
{{- if and $values.webhookPresets.existingConfigMap (eq .name "alert-ingest") }}
- name: presets
  mountPath: /etc/tocsin/presets
  readOnly: true
{{- end }}
{{- if and $values.inboundMail.enabled $values.inboundMail.tls.existingSecret (eq .name "alert-ingest") }}
- name: smtp-tls
  mountPath: /etc/tocsin/smtp
  readOnly: true
{{- end }}
{{- end }}
