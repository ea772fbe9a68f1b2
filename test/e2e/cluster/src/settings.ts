/** How a run reaches its cluster and how much it brings; each value from the environment variable in brackets. */
export interface Settings {
  /** [KUBECTL] */
  readonly kubectl: string;
  /** [HELM] */
  readonly helm: string;
  /** Gets the names of images behind it, where the cluster cannot pull them [CLUSTER_LOAD_IMAGE]. */
  readonly loadImage: readonly string[];
  /** Gets the id of a container behind it and ends that with SIGKILL; without it pods are deleted with no grace [CLUSTER_SIGKILL]. */
  readonly sigkill: readonly string[];
  /** Removed at the end, with all that is in it [CLUSTER_NAMESPACE]. */
  readonly namespace: string;
  /** A file of values for the chart, which win over those of the run [CLUSTER_VALUES]. */
  readonly values: string | undefined;
  /** Of all seven images [CLUSTER_IMAGE_TAG]. */
  readonly imageTag: string;
  /** Where the images are; empty: where the nodes look for bare names [CLUSTER_IMAGE_REGISTRY]. */
  readonly imageRegistry: string;
  /** Tag of the images that the upgrade changes to; made of the others, with a label, where images are loaded [CLUSTER_NEXT_TAG]. */
  readonly nextTag: string;
  /** Of the Kafka in the demo mode [CLUSTER_KAFKA_IMAGE]. */
  readonly kafkaImage: string | undefined;
  /** Of the MongoDB in the demo mode [CLUSTER_MONGO_IMAGE]. */
  readonly mongoImage: string | undefined;
  /** An address at which node ports answer; otherwise that of the first node [CLUSTER_NODE_ADDRESS]. */
  readonly nodeAddress: string | undefined;
  /** Alerts a second, and as many reads [RATE]. */
  readonly rate: number;
  /** How long the load goes on at least in each phase [PHASE_SECONDS]. */
  readonly phaseSeconds: number;
  /** Services to kill, all seven unless given, with commas [SERVICES]. */
  readonly services: readonly string[] | undefined;
  /** Leaves the namespace where something did not balance [KEEP=1]. */
  readonly keep: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

const words = (text: string | undefined): readonly string[] => (text ?? '').split(/\s+/).filter((word) => word !== '');
const given = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

/** @throws RangeError that names the variable which is no number above 0. */
export function settingsOf(environment: Environment): Settings {
  return {
    kubectl: given(environment['KUBECTL']) ?? 'kubectl',
    helm: given(environment['HELM']) ?? 'helm',
    loadImage: words(environment['CLUSTER_LOAD_IMAGE']),
    sigkill: words(environment['CLUSTER_SIGKILL']),
    namespace: given(environment['CLUSTER_NAMESPACE']) ?? 'tocsin-cluster-run',
    values: given(environment['CLUSTER_VALUES']),
    imageTag: given(environment['CLUSTER_IMAGE_TAG']) ?? 'dev',
    imageRegistry: environment['CLUSTER_IMAGE_REGISTRY'] ?? '',
    nextTag: given(environment['CLUSTER_NEXT_TAG']) ?? 'changed',
    kafkaImage: given(environment['CLUSTER_KAFKA_IMAGE']),
    mongoImage: given(environment['CLUSTER_MONGO_IMAGE']),
    nodeAddress: given(environment['CLUSTER_NODE_ADDRESS']),
    rate: above0(environment, 'RATE', 5),
    phaseSeconds: above0(environment, 'PHASE_SECONDS', 12),
    services: given(environment['SERVICES'])?.split(','),
    keep: environment['KEEP'] === '1',
  };
}

function above0(environment: Environment, name: string, otherwise: number): number {
  const value = Number(given(environment[name]) ?? otherwise);
  if (value > 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new RangeError(`${name} should be a number above 0.`);
}
