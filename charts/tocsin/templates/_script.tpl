{{/*
A pod that runs one of the scripts in `files/` with Node of the gateway's image, and calls the API.
Takes (dict "root" $ "script" name "env" list "withinSeconds" n "secret" name "key" name "resources" map).
*/}}
{{- define "tocsin.scriptPod" -}}
{{- $basics := dict "root" .root "service" .root.Values.defaults -}}
restartPolicy: Never
serviceAccountName: {{ include "tocsin.serviceAccountName" .root }}
{{ include "tocsin.podBasics" $basics }}
securityContext:
  {{- toYaml .root.Values.defaults.podSecurityContext | nindent 2 }}
containers:
  - name: {{ .script }}
    image: {{ include "tocsin.image" (dict "root" .root "name" "gateway") | quote }}
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    command: [node, /scripts/{{ .script }}.mjs]
    env:
      - name: GATEWAY_URL
        value: http://{{ include "tocsin.fullname" .root }}-gateway:{{ .root.Values.gateway.service.port }}
      - name: API_KEY
        valueFrom:
          secretKeyRef:
            name: {{ .secret }}
            key: {{ .key }}
      - name: WITHIN_SECONDS
        value: {{ include "tocsin.scalar" .withinSeconds | quote }}
      {{- with .env }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
    resources:
      {{- toYaml .root.Values.prepare.resources | nindent 6 }}
    securityContext:
      {{- toYaml .root.Values.defaults.securityContext | nindent 6 }}
    volumeMounts:
      - name: scripts
        mountPath: /scripts
        readOnly: true
volumes:
  - name: scripts
    configMap:
      name: {{ include "tocsin.fullname" .root }}-scripts
{{- end }}
