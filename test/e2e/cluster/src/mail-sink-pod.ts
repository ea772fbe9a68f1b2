import { readFile } from 'node:fs/promises';
import type { Cluster } from './cluster.ts';
import type { ArrivedPage } from './ledger.ts';
import type { SunkMails } from './mail-sink.ts';

const NAME = 'mail-sink';

/** Where the services of the same namespace send their mails. */
export const SINK_SMTP_PORT = 2525;
export const SINK_SMTP_URL = `smtp://${NAME}:${SINK_SMTP_PORT}`;

/** The mailbox of a run: a pod of its own, read through the API server. */
export class MailSinkPod {
  readonly #cluster: Cluster;
  readonly #mails: ArrivedPage[] = [];

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** The mails until the last read. */
  get mails(): readonly ArrivedPage[] {
    return this.#mails;
  }

  /** Starts it with the Node of `image`, and resolves when it is ready. */
  async start(image: string): Promise<void> {
    const script = await readFile(new URL('mail-sink.ts', import.meta.url), 'utf8');
    await this.#cluster.apply([scriptOf(script), podOf(image), service()]);
    await this.#cluster.kubectl(['wait', `pod/${NAME}`, '--for=condition=Ready', '--timeout=120s'], {
      timeoutMs: 130_000,
    });
  }

  /** Reads what came since; the instants are by the clock of this process. */
  async read(): Promise<readonly ArrivedPage[]> {
    const { namespace } = this.#cluster;
    const path = `/api/v1/namespaces/${namespace}/pods/${NAME}:8025/proxy/mails?from=${this.#mails.length}`;
    const { mails, now } = JSON.parse(await this.#cluster.kubectl(['get', '--raw', path])) as SunkMails;
    const ahead = now - Date.now();
    this.#mails.push(...mails.map((mail) => ({ ...mail, at: mail.at - ahead })));
    return this.#mails;
  }
}

const labels = { 'app.kubernetes.io/name': NAME };

const scriptOf = (script: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: NAME, labels },
  data: { 'mail-sink.ts': script },
});

const service = (): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: NAME, labels },
  spec: { selector: labels, ports: [{ name: 'smtp', port: SINK_SMTP_PORT }] },
});

const podOf = (image: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: NAME, labels },
  spec: {
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: NAME,
        image,
        command: ['node', '/sink/mail-sink.ts'],
        ports: [{ containerPort: SINK_SMTP_PORT }, { containerPort: 8025 }],
        readinessProbe: { httpGet: { path: '/', port: 8025 }, periodSeconds: 1 },
        resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '192Mi' } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [{ name: 'script', mountPath: '/sink', readOnly: true }],
      },
    ],
    volumes: [{ name: 'script', configMap: { name: NAME } }],
  },
});
