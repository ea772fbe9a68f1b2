import { fileURLToPath } from 'node:url';
import { command } from './command.ts';
import type { Cluster } from './cluster.ts';
import { SINK_SMTP_PORT, SINK_SMTP_URL } from './mail-sink-pod.ts';
import type { Settings } from './settings.ts';

const NAME = 'tocsin';
const CHART = fileURLToPath(new URL('../../../../charts/tocsin', import.meta.url));
const WAIT = '600s';
const PATIENCE_MS = 660_000;

/** Of everything that the release brings. */
export const EVERYTHING = `app.kubernetes.io/instance=${NAME}`;

/** Of the pods of one service. */
export const podsOf = (service: string): string => `${EVERYTHING},app.kubernetes.io/component=${service}`;

/** The one release of a run: two replicas of each service, with engines inside unless the values of the settings say otherwise. */
export class Release {
  readonly #settings: Settings;
  readonly #cluster: Cluster;

  constructor(settings: Settings, cluster: Cluster) {
    this.#settings = settings;
    this.#cluster = cluster;
  }

  /** @throws Error when there is no Helm. */
  async findHelm(): Promise<void> {
    await this.#helm(['version', '--short']);
  }

  /** Installs it and resolves when all is ready. @throws CommandError with what helm said. */
  install(tag: string): Promise<string> {
    return this.#helm(['install', NAME, CHART, ...this.#values(), '--wait', `--timeout=${WAIT}`], this.#own(tag));
  }

  /** Changes to the images of another tag. */
  upgrade(tag: string): Promise<string> {
    return this.#helm(['upgrade', NAME, CHART, ...this.#values(), '--wait', `--timeout=${WAIT}`], this.#own(tag));
  }

  /** Goes back to what it was before the last change. */
  rollback(): Promise<string> {
    return this.#helm(['rollback', NAME, '--wait', `--timeout=${WAIT}`]);
  }

  /** Runs the tests of the chart. */
  test(): Promise<string> {
    return this.#helm(['test', NAME, '--timeout=300s']);
  }

  uninstall(): Promise<string> {
    return this.#helm(['uninstall', NAME, '--ignore-not-found', '--wait', '--timeout=180s']);
  }

  /** Where the gateway answers outside the cluster. */
  async url(): Promise<string> {
    const port = await this.#cluster.kubectl([
      'get',
      `service/${NAME}-gateway`,
      '--output=jsonpath={.spec.ports[0].nodePort}',
    ]);
    const address =
      this.#settings.nodeAddress ??
      (await this.#cluster.kubectl([
        'get',
        'nodes',
        '--output=jsonpath={.items[0].status.addresses[?(@.type=="InternalIP")].address}',
      ]));
    return `http://${address}:${port}`;
  }

  /** The first API key of the account, which the chart has made. */
  async key(): Promise<string> {
    const encoded = await this.#cluster.kubectl([
      'get',
      `secret/${NAME}-keys`,
      '--output=jsonpath={.data.BOOTSTRAP_API_KEY}',
    ]);
    return Buffer.from(encoded, 'base64').toString('utf8');
  }

  #helm(args: readonly string[], values: object = {}): Promise<string> {
    return command(this.#settings.helm, ['--namespace', this.#cluster.namespace, ...args], {
      input: JSON.stringify(values),
      timeoutMs: PATIENCE_MS,
    });
  }

  #values(): readonly string[] {
    const { values } = this.#settings;
    return ['--values=-', ...(values === undefined ? [] : [`--values=${values}`])];
  }

  #own(tag: string): object {
    const { imageRegistry, kafkaImage, mongoImage } = this.#settings;
    const few = { requests: { cpu: '20m' } };
    const small = { resources: few };
    const engine = { requests: { cpu: '250m' } };
    const scaled = { autoscaling: { by: 'cpu', minReplicas: 2, maxReplicas: 3 } };
    // Refusals of a gateway that is short of processor time would hide those of one that is gone.
    const patient = { BUSY_TURN_MS: 60_000 };
    return {
      image: { registry: imageRegistry, tag },
      smtp: { url: SINK_SMTP_URL },
      // Each page is a mail that can be counted.
      bundleLimits: 'off',
      gateway: { service: { type: 'NodePort' } },
      defaults: { replicas: 2, ...small },
      services: {
        gateway: { ...scaled, ...small, env: patient },
        'alert-ingest': { ...scaled, ...small },
        'alert-processor': small,
      },
      prepare: { resources: few },
      networkPolicy: { enabled: true, egress: { smtp: { ports: [SINK_SMTP_PORT] } } },
      demo: {
        enabled: true,
        kafka: { ...(kafkaImage !== undefined && { image: kafkaImage }), resources: engine },
        mongodb: { ...(mongoImage !== undefined && { image: mongoImage }), resources: engine },
      },
    };
  }
}
