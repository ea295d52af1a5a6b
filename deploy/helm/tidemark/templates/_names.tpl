{{/* Labels by which a role is selected: (list . "gateway"). */}}
{{- define "tidemark.selector" -}}
app.kubernetes.io/name: tidemark
app.kubernetes.io/instance: {{ (first .).Release.Name }}
app.kubernetes.io/component: {{ last . }}
{{- end }}

{{/* All labels of an object of a role. */}}
{{- define "tidemark.labels" -}}
{{ include "tidemark.selector" . }}
app.kubernetes.io/version: {{ (first .).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (first .).Release.Service }}
helm.sh/chart: {{ printf "tidemark-%s" (first .).Chart.Version }}
{{- end }}

{{- define "tidemark.name" -}}
{{ (first .).Release.Name | trunc 40 | trimSuffix "-" }}-{{ last . }}
{{- end }}

{{/* Whether the number of pods of a role is left to an autoscaler. */}}
{{- define "tidemark.isScaled" -}}
{{- $scaling := index (first .).Values.autoscaling (last .) -}}
{{- if and $scaling (get $scaling "enabled") }}true{{ end -}}
{{- end }}
