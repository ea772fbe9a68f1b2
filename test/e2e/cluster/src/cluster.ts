import { setTimeout as pause } from 'node:timers/promises';
import { command, type CommandOptions } from './command.ts';

/** A pod as far as a run looks at it. */
export interface Pod {
  readonly name: string;
  readonly isReady: boolean;
  readonly isEnding: boolean;
  readonly restarts: number;
  /** Of its first container, without the name of its runtime; empty before it starts. */
  readonly containerId: string;
}

/** A deployment as far as a run looks at it. */
interface Deployment {
  readonly name: string;
  readonly isWhole: boolean;
}

interface PodJson {
  readonly kind: 'Pod';
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly status: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly { readonly restartCount: number; readonly containerID?: string }[];
  };
}

interface DeploymentJson {
  readonly kind: 'Deployment';
  readonly metadata: { readonly name: string; readonly generation: number };
  readonly spec: { readonly replicas: number };
  readonly status: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
  };
}

const EVERY_MS = 1_000;
/** Of each description. */
const LINES = 60;

/** One namespace of the cluster that KUBECONFIG names. */
export class Cluster {
  readonly namespace: string;
  readonly #kubectl: string;

  constructor(kubectl: string, namespace: string) {
    this.#kubectl = kubectl;
    this.namespace = namespace;
  }

  /** Runs kubectl in the namespace and resolves with what it printed. @throws CommandError when it fails. */
  kubectl(args: readonly string[], options?: CommandOptions): Promise<string> {
    return command(this.#kubectl, ['--namespace', this.namespace, ...args], options);
  }

  /** @throws Error when there is no kubectl, or it reaches no cluster. */
  async reach(): Promise<void> {
    await this.kubectl(['version', '--request-timeout=10s']);
  }

  /** Makes or changes what the manifests say. */
  async apply(manifests: readonly object[]): Promise<void> {
    const list = { apiVersion: 'v1', kind: 'List', items: manifests };
    await this.kubectl(['apply', '--filename=-'], { input: JSON.stringify(list) });
  }

  /** The objects of these kinds that are not ending, such as `secret/tocsin-keys`. */
  async staying(kinds: string): Promise<readonly string[]> {
    const { items } = JSON.parse(await this.kubectl(['get', kinds, '--output=json'])) as {
      readonly items: readonly (Pick<PodJson, 'metadata'> & { readonly kind: string })[];
    };
    return items
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`);
  }

  /** Pods and deployments of the selector. */
  async seen(
    selector: string,
  ): Promise<{ readonly pods: readonly Pod[]; readonly deployments: readonly Deployment[] }> {
    const text = await this.kubectl(['get', 'deployments,pods', `--selector=${selector}`, '--output=json']);
    const { items } = JSON.parse(text) as { readonly items: readonly (PodJson | DeploymentJson)[] };
    return {
      pods: items.filter((item) => item.kind === 'Pod').map(podOf),
      deployments: items
        .filter((item) => item.kind === 'Deployment')
        .map((item) => ({ name: item.metadata.name, isWhole: isWhole(item) })),
    };
  }

  /**
   * Resolves with its pods when every deployment of the selector has all of them, each of its present template and ready, and
   * none more.
   *
   * @throws Error that names what is missing, when that does not come to pass within `timeoutMs`.
   */
  async whole(selector: string, timeoutMs: number): Promise<readonly Pod[]> {
    const until = performance.now() + timeoutMs;
    for (;;) {
      const { deployments, pods } = await this.seen(selector);
      const lacking = [
        ...deployments.filter(({ isWhole }) => !isWhole).map(({ name }) => name),
        ...pods.filter(({ isEnding }) => isEnding).map(({ name }) => `${name} is still ending`),
      ];
      if (lacking.length === 0) return pods;
      if (performance.now() > until) throw new Error(`Not whole after ${timeoutMs / 1_000} s: ${lacking.join(', ')}`);
      await pause(EVERY_MS);
    }
  }

  /**
   * Resolves when the pod has another container in place of this one, or the time is over: the restarts show which.
   *
   * @throws CommandError when the pod is gone.
   */
  async replaced(name: string, containerId: string, timeoutMs: number): Promise<void> {
    const until = performance.now() + timeoutMs;
    while (performance.now() < until) {
      const pod = podOf(JSON.parse(await this.kubectl(['get', `pod/${name}`, '--output=json'])) as PodJson);
      if (pod.restarts > 0 && pod.containerId !== containerId) return;
      await pause(EVERY_MS);
    }
  }

  /** Makes the namespace, in which no pod may be more than `restricted` pods are. @throws CommandError where it is there already. */
  async create(): Promise<void> {
    await this.kubectl(['create', 'namespace', this.namespace]);
    const levels = ['enforce', 'warn'].map((mode) => `pod-security.kubernetes.io/${mode}=restricted`);
    await this.kubectl(['label', 'namespace', this.namespace, ...levels]);
  }

  /** The objects and the last events, for a reader who looks for the cause of a failure. */
  async described(): Promise<string> {
    const asked = [
      ['get', 'pods,jobs', '--output=wide'],
      ['get', 'events', '--sort-by=.lastTimestamp'],
    ];
    const texts = await Promise.all(asked.map((args) => this.kubectl(args).catch(String)));
    return texts.map((text) => text.split('\n').slice(-LINES).join('\n')).join('\n');
  }

  /** Removes the namespace and all that is in it; resolves when it is gone. */
  async remove(): Promise<void> {
    await this.kubectl(['delete', 'namespace', this.namespace, '--ignore-not-found', '--timeout=180s'], {
      timeoutMs: 200_000,
    });
  }
}

function podOf({ metadata, status }: PodJson): Pod {
  const { conditions = [], containerStatuses = [] } = status;
  return {
    name: metadata.name,
    isReady: conditions.some(({ type, status }) => type === 'Ready' && status === 'True'),
    isEnding: metadata.deletionTimestamp !== undefined,
    restarts: containerStatuses.reduce((sum, { restartCount }) => sum + restartCount, 0),
    containerId: (containerStatuses[0]?.containerID ?? '').replace(/^.*:\/\//, ''),
  };
}

function isWhole({ metadata, spec, status }: DeploymentJson): boolean {
  return (
    (status.observedGeneration ?? 0) >= metadata.generation &&
    [status.replicas, status.updatedReplicas, status.readyReplicas].every((count) => (count ?? 0) === spec.replicas)
  );
}
