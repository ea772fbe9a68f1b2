{{/* Type and the one port of a Service, by its values. Takes (dict "service" values "port" name of the container's port). */}}
{{- define "tocsin.serviceSpec" -}}
type: {{ .service.type }}
{{- with .service.loadBalancerClass }}
loadBalancerClass: {{ . }}
{{- end }}
{{- with .service.loadBalancerSourceRanges }}
loadBalancerSourceRanges:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .service.externalTrafficPolicy }}
externalTrafficPolicy: {{ . }}
{{- end }}
ports:
  - name: {{ .port }}
    port: {{ .service.port }}
    targetPort: {{ .port }}
    protocol: TCP
    {{- if eq .port "http" }}
    appProtocol: http
    {{- end }}
    {{- with .service.nodePort }}
    nodePort: {{ . }}
    {{- end }}
{{- end }}
