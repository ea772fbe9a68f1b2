{{/* What every pod of the chart says of itself. Takes (dict "root" $ "service" merged defaults). */}}
{{- define "tocsin.podBasics" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with include "tocsin.pullSecrets" .root | fromJsonArray }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .service.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .service.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .service.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .service.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .service.runtimeClassName }}
runtimeClassName: {{ . }}
{{- end }}
{{- with .service.hostAliases }}
hostAliases:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .service.dnsConfig }}
dnsConfig:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* "true" where something else decides how many replicas a service has. Takes its merged values. */}}
{{- define "tocsin.isScaled" -}}
{{- if ne .autoscaling.by "none" }}true{{ end }}
{{- end }}

{{/* `preStop.sleep` is on by default from Kubernetes 1.30 on; the images have no shell to sleep with. Takes (dict "root" $ "service" merged). */}}
{{- define "tocsin.lifecycle" -}}
{{- if and .service.preStopSleepSeconds (semverCompare ">=1.30.0-0" .root.Capabilities.KubeVersion.Version) -}}
lifecycle:
  preStop:
    sleep:
      seconds: {{ include "tocsin.scalar" .service.preStopSleepSeconds }}
{{- end }}
{{- end }}
