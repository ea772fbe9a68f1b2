{{/* Who a demo engine runs as. Takes its values. */}}
{{- define "tocsin.demo.podSecurityContext" -}}
{{- $always := dict "runAsNonRoot" true "fsGroupChangePolicy" "OnRootMismatch" "seccompProfile" (dict "type" "RuntimeDefault") -}}
{{- merge (dict) (.podSecurityContext | default dict) $always | toYaml }}
{{- end }}

{{/* The images of the engines write their settings beside their programs. Takes (dict "readOnly" bool). */}}
{{- define "tocsin.demo.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: {{ .readOnly }}
runAsNonRoot: true
capabilities:
  drop: [ALL]
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{/* The volume `data` of a pod, where no claim makes it. Takes its `persistence`. */}}
{{- define "tocsin.demo.volumes" -}}
{{- if not .enabled -}}
volumes:
  - name: data
    emptyDir:
      sizeLimit: {{ .size }}
{{- end }}
{{- end }}

{{/* The claim of the volume `data`. Takes (dict "about" labels "persistence" values). */}}
{{- define "tocsin.demo.claims" -}}
{{- if .persistence.enabled -}}
volumeClaimTemplates:
  - metadata:
      name: data
      labels:
        {{- include "tocsin.selectorLabels" .about | nindent 8 }}
    spec:
      accessModes: [ReadWriteOnce]
      {{- with .persistence.storageClass }}
      storageClassName: {{ . }}
      {{- end }}
      resources:
        requests:
          storage: {{ .persistence.size }}
{{- end }}
{{- end }}

{{/* A Service, as a document of its own. Takes (dict "root" $ "about" labels "name" name "ports" map "headless" bool). */}}
{{- define "tocsin.demo.service" }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "tocsin.labels" .about | nindent 4 }}
  {{- with include "tocsin.annotations" .about }}
  {{- . | nindent 2 }}
  {{- end }}
spec:
  {{- with include "tocsin.ipFamilies" .root }}
  {{- . | nindent 2 }}
  {{- end }}
  {{- if .headless }}
  clusterIP: None
  # Each knows itself by this name, also before it is ready.
  publishNotReadyAddresses: true
  {{- end }}
  selector:
    {{- include "tocsin.selectorLabels" .about | nindent 4 }}
  ports:
    {{- range $port, $number := .ports }}
    - name: {{ $port }}
      port: {{ $number }}
      targetPort: {{ $port }}
    {{- end }}
{{- end }}
