{{/* Type and the one port of a Service, by its values. Takes (dict "root" $ "service" values "port" name of the container's port). */}}
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
{{- with include "tocsin.ipFamilies" .root }}
{{ . }}
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

{{/* Addresses of every Service. */}}
{{- define "tocsin.ipFamilies" -}}
{{- with .Values.ipFamilyPolicy -}}
ipFamilyPolicy: {{ . }}
{{- end }}
{{- with .Values.ipFamilies }}
ipFamilies: {{ toJson . }}
{{- end }}
{{- end }}

{{/* Where services listen: `::` is every address of both families, where there are any of IPv6. */}}
{{- define "tocsin.everyAddress" -}}
{{- if or (has "IPv6" .Values.ipFamilies) (eq .Values.ipFamilyPolicy "RequireDualStack") }}::{{ else }}0.0.0.0{{ end }}
{{- end }}
