{{/*
The second map over the first, as YAML: maps are merged, anything else is replaced, null takes away. Sprig's own merge would
keep the first where the second says 0, false or "". Takes (list first second).
*/}}
{{- define "tocsin.merge" -}}
{{- $merged := deepCopy (index . 0) }}
{{- range $key, $value := index . 1 }}
{{- if kindIs "invalid" $value }}
{{- $_ := unset $merged $key }}
{{- else if and (kindIs "map" $value) (kindIs "map" (get $merged $key)) }}
{{- $_ := set $merged $key (include "tocsin.merge" (list (get $merged $key) $value) | fromYaml) }}
{{- else }}
{{- $_ := set $merged $key $value }}
{{- end }}
{{- end }}
{{- toYaml $merged }}
{{- end }}

{{/* `defaults` with `services.<name>` over them, as YAML. Takes (dict "root" $ "name" service). */}}
{{- define "tocsin.service" -}}
{{- include "tocsin.merge" (list .root.Values.defaults (get .root.Values.services .name | default dict)) }}
{{- end }}

{{/* A scalar as a person would write it: Helm knows numbers as floats, and prints 67108864 as 6.7108864e+07. */}}
{{- define "tocsin.scalar" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) }}{{ printf "%.0f" . }}{{ else }}{{ . }}{{ end }}
{{- end }}

{{/* Where people reach the gateway. In the demo it is where NOTES.txt forwards its port to, so that mails have links. */}}
{{- define "tocsin.publicUrl" -}}
{{- .Values.publicUrl | default (.Values.demo.enabled | ternary "http://127.0.0.1:8080" "") }}
{{- end }}

{{/* MiB of a quantity of memory, such as `0.5Gi`. */}}
{{- define "tocsin.mebibytes" -}}
{{- $text := include "tocsin.scalar" . }}
{{- $bytes := get (dict "" 1 "k" 1000 "M" 1000000 "G" 1000000000 "T" 1000000000000 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776) (regexReplaceAll "^[0-9.]+" $text "") }}
{{- divf (mulf (regexFind "^[0-9.]+" $text | float64) $bytes) 1048576 | int }}
{{- end }}

{{/* Host of `publicUrl`, without its port; nothing where there is none. */}}
{{- define "tocsin.publicHost" -}}
{{- with .Values.publicUrl }}{{ (urlParse .).hostname }}{{ end }}
{{- end }}
