{{/* `hook` or `job`. */}}
{{- define "tocsin.prepare.mode" -}}
{{- if eq .Values.prepare.mode "auto" }}
{{- ternary "job" "hook" (eq (include "tocsin.bringsEngines" .) "true") }}
{{- else }}
{{- .Values.prepare.mode }}
{{- end }}
{{- end }}

{{/* Annotations of what the hook is made of. Takes its weight. */}}
{{- define "tocsin.prepare.hook" -}}
helm.sh/hook: pre-install,pre-upgrade,pre-rollback
helm.sh/hook-weight: {{ . | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end }}

{{/* The pod that makes collections and indexes of each service, and the topics. Takes (dict "root" $ "serviceAccount" name "mongodbSecret" name). */}}
{{- define "tocsin.prepare.pod" -}}
{{- $root := .root }}
{{- $defaults := .root.Values.defaults }}
{{- $files := dict "root" .root "name" "prepare" "tmp" "16Mi" -}}
restartPolicy: Never
serviceAccountName: {{ .serviceAccount }}
{{ include "tocsin.podBasics" (dict "root" .root "service" $defaults) }}
securityContext:
  {{- toYaml $defaults.podSecurityContext | nindent 2 }}
initContainers:
  {{- if .root.Values.demo.enabled }}
  - name: replica-set
    command: [node, /scripts/replica-set.mjs]
    env:
      - name: MEMBER
        value: {{ include "tocsin.fullname" .root }}-demo-mongodb:27017
      {{- include "tocsin.prepare.env" (dict "root" $root "name" "directory") | nindent 6 }}
    {{- include "tocsin.prepare.container" (dict "root" $root "name" "directory") | nindent 4 }}
      - name: scripts
        mountPath: /scripts
        readOnly: true
  {{- end }}
  {{- range $name := without (splitList " " (include "tocsin.services" .root)) "gateway" }}
  - name: {{ $name }}
    args: [prepare-database]
    env:
      {{- include "tocsin.prepare.env" (dict "root" $root "name" $name) | nindent 6 }}
      {{- include "tocsin.mongodb.env" (dict "root" $root "name" $name "secret" $.mongodbSecret) | nindent 6 }}
    {{- include "tocsin.prepare.container" (dict "root" $root "name" $name) | nindent 4 }}
  {{- end }}
containers:
  - name: topics
    args: [prepare-topics]
    env:
      {{- include "tocsin.prepare.env" (dict "root" $root "name" "alert-ingest") | nindent 6 }}
      - name: KAFKA_TOPIC_PARTITIONS
        value: {{ include "tocsin.scalar" $root.Values.kafka.topics.partitions | quote }}
      - name: KAFKA_TOPIC_REPLICATION
        value: {{ include "tocsin.scalar" $root.Values.kafka.topics.replication | quote }}
      {{- with include "tocsin.kafka.secretEnv" $root }}
      {{- . | nindent 6 }}
      {{- end }}
    {{- include "tocsin.prepare.container" (dict "root" $root "name" "alert-ingest") | nindent 4 }}
volumes:
  {{- include "tocsin.volumes" $files | nindent 2 }}
  {{- with $defaults.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  {{- if $root.Values.demo.enabled }}
  - name: scripts
    configMap:
      name: {{ include "tocsin.fullname" $root }}-scripts
  {{- end }}
{{- end }}

{{/* The settings of every step that are no secrets. Nothing of the release is there before its hooks, its ConfigMaps neither. */}}
{{- define "tocsin.prepare.env" -}}
{{- $settings := include "tocsin.engineSettings" . | fromYaml }}
{{- $_ := set $settings "PREPARE_WITHIN_SECONDS" (include "tocsin.scalar" .root.Values.prepare.withinSeconds) }}
{{- range $name, $value := (include "tocsin.service" . | fromYaml).env }}
{{- $_ := set $settings $name (include "tocsin.scalar" $value) }}
{{- end }}
{{- range $index, $name := keys $settings | sortAlpha }}
{{- if $index }}{{ "\n" }}{{ end -}}
- name: {{ $name }}
  value: {{ get $settings $name | quote }}
{{- end }}
{{- end }}

{{- define "tocsin.prepare.container" -}}
image: {{ include "tocsin.image" . | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
resources:
  {{- toYaml .root.Values.prepare.resources | nindent 2 }}
securityContext:
  {{- toYaml .root.Values.defaults.securityContext | nindent 2 }}
volumeMounts:
  {{- include "tocsin.volumeMounts" (dict "root" .root "name" "prepare") | nindent 2 }}
  {{- with .root.Values.defaults.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
