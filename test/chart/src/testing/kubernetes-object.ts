/** An object as the chart renders it. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  /** Empty where the kind has none. */
  readonly spec: Spec;
  readonly data?: Readonly<Record<string, string>>;
}

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Labels;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The fields that the tests check, of all kinds. kubeconform checks each object against the schema of its kind. */
interface Spec extends Partial<PodSpec> {
  /** Labels in a Service, a `Selector` elsewhere. */
  readonly selector?: Selector | Labels;
  readonly ports?: readonly ServicePort[];
  readonly clusterIP?: string;
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly ttlSecondsAfterFinished?: number;
  readonly template?: { readonly metadata: Partial<Metadata>; readonly spec: PodSpec };
  readonly serviceName?: string;
  readonly volumeClaimTemplates?: readonly object[];
  readonly podManagementPolicy?: string;
  readonly scaleTargetRef?: { readonly name: string };
  readonly minReplicas?: number;
  readonly minReplicaCount?: number;
  readonly triggers?: readonly { readonly type: string; readonly metadata: { readonly query: string } }[];
  readonly topicName?: string;
  readonly partitions?: number;
  readonly config?: Readonly<Record<string, string>>;
  readonly kafka?: { readonly config: Readonly<Record<string, unknown>> };
  readonly authorization?: {
    readonly acls: readonly { readonly resource: { readonly type: string; readonly name: string } }[];
  };
}

export interface ServicePort {
  readonly name: string;
  readonly port: number;
  readonly targetPort: string | number;
}

export type Labels = Readonly<Record<string, string>>;

/** Chooses pods by their labels, as policies and Services do. */
export interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** @throws for an operator that the chart does not use. */
export function selects(selector: Selector, labels: Labels): boolean {
  const byLabel = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  return (
    byLabel &&
    (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
      if (operator !== 'In') throw new Error(`The operator ${operator} is not understood here.`);
      return values.includes(labels[key] ?? '');
    })
  );
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly imagePullSecrets?: readonly { readonly name: string }[];
  readonly volumes?: readonly {
    readonly name: string;
    readonly configMap?: { readonly name: string };
    readonly hostPath?: object;
  }[];
  readonly securityContext?: SecurityContext;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly automountServiceAccountToken?: boolean;
  readonly serviceAccountName?: string;
  readonly terminationGracePeriodSeconds?: number;
}

interface SecurityContext {
  readonly allowPrivilegeEscalation?: boolean;
  readonly capabilities?: { readonly drop?: readonly string[] };
  readonly privileged?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
  readonly runAsNonRoot?: boolean;
  readonly seccompProfile?: { readonly type: string };
}

/** A container, as far as the tests look into one. */
export interface Container {
  readonly name: string;
  readonly image: string;
  readonly env?: readonly EnvironmentEntry[];
  readonly envFrom?: readonly { readonly configMapRef?: { readonly name: string } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources?: Readonly<Record<'requests' | 'limits', Readonly<Record<string, string>> | undefined>>;
  readonly securityContext?: SecurityContext;
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

export interface Probe {
  readonly httpGet?: { readonly path: string };
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly failureThreshold?: number;
}

interface EnvironmentEntry {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: Readonly<Record<string, object>>;
}

/** A pod, also one of a controller. */
export interface Pod {
  /** Of the object that makes it: `Deployment/tocsin-gateway`. */
  readonly owner: string;
  readonly component: string;
  readonly labels: Labels;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
  readonly containers: readonly Container[];
}

/** Every pod that these objects are or make. */
export function podsOf(objects: readonly KubernetesObject[]): readonly Pod[] {
  return objects.flatMap(({ kind, metadata, spec }) => {
    const { containers } = spec;
    const own = kind === 'Pod' && containers !== undefined ? { metadata, spec: { ...spec, containers } } : undefined;
    const template = own ?? (['Deployment', 'StatefulSet', 'Job'].includes(kind) ? spec.template : undefined);
    if (template === undefined) return [];
    const { labels = {}, annotations = {} } = template.metadata;
    const pod = {
      owner: `${kind}/${metadata.name}`,
      component: labels['app.kubernetes.io/component'] ?? '',
      labels,
      annotations,
      spec: template.spec,
      containers: [...(template.spec.initContainers ?? []), ...template.spec.containers],
    };
    return [pod];
  });
}
