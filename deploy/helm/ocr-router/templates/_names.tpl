{{- define "ocr-router.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "ocr-router.labels" -}}
app.kubernetes.io/name: ocr-router
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "ocr-router.image" -}}
{{ required "image.repository: where is the image of deploy/Dockerfile?" .Values.image.repository }}:{{ .Values.image.tag }}
{{- end -}}

{{/* What every process needs: secrets come as files. */}}
{{- define "ocr-router.secretEnv" -}}
- name: DATABASE_URL_FILE
  value: /run/secrets/ocr-router/database-url
- name: REDIS_URL_FILE
  value: /run/secrets/ocr-router/redis-url
- name: SECRETS_KEY_FILE
  value: /run/secrets/ocr-router/secrets-key
{{- end -}}

{{/* And what those need that serve or work. Metrics have a port of their own, so that no Ingress shows them. */}}
{{- define "ocr-router.env" -}}
{{ include "ocr-router.secretEnv" . }}
- name: METRICS_PORT
  value: "9464"
{{- if .Values.metricsToken }}
- name: METRICS_TOKEN_FILE
  value: /run/secrets/ocr-router/metrics-token
{{- end }}
{{- if .Values.engines }}
- name: ENGINES_FILE
  value: /etc/ocr-router/engines.json
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "ocr-router.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "ocr-router.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "ocr-router.mounts" -}}
- name: secrets
  mountPath: /run/secrets/ocr-router
  readOnly: true
- name: tmp
  mountPath: /tmp
- name: data
  mountPath: /data
{{- if .Values.engines }}
- name: engines
  mountPath: /etc/ocr-router
  readOnly: true
{{- end }}
{{- end -}}

{{/* /data holds unpacked language data: nothing that has to stay. */}}
{{- define "ocr-router.volumes" -}}
- name: secrets
  secret:
    secretName: {{ required "existingSecret: which secret has database-url, redis-url and secrets-key?" .Values.existingSecret }}
    defaultMode: 0440
- name: tmp
  emptyDir: {}
- name: data
  emptyDir: {}
{{- if .Values.engines }}
- name: engines
  configMap:
    name: {{ include "ocr-router.name" . }}-engines
{{- end }}
{{- end -}}
