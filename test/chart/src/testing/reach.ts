import { selects, type KubernetesObject, type Pod, type Selector } from './kubernetes-object.ts';

interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: object;
}

interface Rule {
  readonly ports?: readonly { readonly protocol?: string; readonly port: number }[];
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
}

interface Policy {
  readonly name: string;
  readonly podSelector: Selector;
  readonly policyTypes: readonly string[];
  readonly ingress: readonly Rule[];
  readonly egress: readonly Rule[];
}

/** The connections that these policies allow, by the rules of Kubernetes: rules add up, and without a policy all are allowed. */
export class Reach {
  readonly policies: readonly Policy[];

  constructor(objects: readonly KubernetesObject[]) {
    this.policies = objects
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .map(({ metadata, spec }) => {
        const {
          podSelector,
          policyTypes,
          ingress = [],
          egress = [],
        } = spec as Partial<Policy> & Pick<Policy, 'podSelector' | 'policyTypes'>;
        return { name: metadata.name, podSelector, policyTypes, ingress, egress };
      });
  }

  /** Whether one pod of the release reaches a TCP port of another. */
  between(from: Pod, to: Pod, port: number): boolean {
    return this.#leaves(from, port, to) && this.#enters(to, port, from);
  }

  /** Whether a pod reaches a TCP port of something that is no pod of this namespace. */
  outwards(from: Pod, port: number): boolean {
    return this.#leaves(from, port, 'outside');
  }

  /** Whether something that is no pod of this namespace, and that no policy names, reaches a TCP port of a pod. */
  inwards(to: Pod, port: number): boolean {
    return this.#enters(to, port, 'outside');
  }

  #leaves(pod: Pod, port: number, other: Pod | 'outside'): boolean {
    const policies = this.#of(pod, 'Egress');
    return (
      policies.length === 0 || policies.some(({ egress }) => egress.some((rule) => allows(rule, rule.to, port, other)))
    );
  }

  #enters(pod: Pod, port: number, other: Pod | 'outside'): boolean {
    const policies = this.#of(pod, 'Ingress');
    return (
      policies.length === 0 ||
      policies.some(({ ingress }) => ingress.some((rule) => allows(rule, rule.from, port, other)))
    );
  }

  #of(pod: Pod, type: string): readonly Policy[] {
    return this.policies.filter(
      ({ podSelector, policyTypes }) => policyTypes.includes(type) && selects(podSelector, pod.labels),
    );
  }
}

function allows(rule: Rule, peers: readonly Peer[] = [], port: number, other: Pod | 'outside'): boolean {
  const toPort = rule.ports === undefined || rule.ports.some((one) => one.protocol !== 'UDP' && one.port === port);
  return toPort && (peers.length === 0 || peers.some((peer) => isPeer(peer, other)));
}

/** An address block may hold hosts outside; a selector of namespaces means pods of those, not of the release. */
function isPeer({ podSelector, namespaceSelector, ipBlock }: Peer, other: Pod | 'outside'): boolean {
  if (other === 'outside') return ipBlock !== undefined;
  return podSelector !== undefined && namespaceSelector === undefined && selects(podSelector, other.labels);
}
