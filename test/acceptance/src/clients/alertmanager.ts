import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { obtainAlertmanager, ServerProcess, downloads, eventually, freePort } from '@tocsin/testkit';

/** How often it did what it was asked to, as its own metrics count it. */
export interface Notifications {
  readonly sent: number;
  readonly failed: number;
}

/** A real Prometheus Alertmanager on 127.0.0.1, with a folder of its own. */
export class Alertmanager {
  readonly #url: string;
  readonly #process: ServerProcess;
  readonly #folder: string;

  private constructor(url: string, process: ServerProcess, folder: string) {
    this.#url = url;
    this.#process = process;
    this.#folder = folder;
  }

  /** Resolves when it is ready; `config` is its whole configuration, in JSON, which is YAML too. */
  static async start(config: object): Promise<Alertmanager> {
    const program = await obtainAlertmanager(downloads(), (line) => process.stderr.write(`${line}\n`));
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'tocsin-alertmanager-'));
    const file = path.join(folder, 'alertmanager.yml');
    await fs.writeFile(file, JSON.stringify(config));
    const port = await freePort();
    const logFile = path.join(folder, 'log');
    const args = [
      ...[`--config.file=${file}`, `--storage.path=${path.join(folder, 'data')}`],
      ...[`--web.listen-address=127.0.0.1:${port}`, '--cluster.listen-address='],
    ];
    const server = new ServerProcess({ ...program, args, logFile });
    const alertmanager = new Alertmanager(`http://127.0.0.1:${port}`, server, folder);
    try {
      await eventually(() => alertmanager.#get('/-/ready'));
      return alertmanager;
    } catch (error) {
      const log = await fs.readFile(logFile, 'utf8');
      await alertmanager.stop();
      throw new Error(`Alertmanager does not get ready: ${log}`, { cause: error });
    }
  }

  /** Sends it these alerts, as Prometheus does: they fire, or no longer do. */
  async receive(...alerts: readonly object[]): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${this.#url}/api/v2/alerts`, {
      method: 'POST',
      headers,
      body: JSON.stringify(alerts),
    });
    if (!response.ok) throw new Error(`Alertmanager answered ${response.status}: ${await response.text()}`);
  }

  /** Those of its receivers of one kind. */
  async notifications(kind: 'opsgenie' | 'webhook' = 'opsgenie'): Promise<Notifications> {
    const metrics = await this.#get('/metrics');
    const count = (name: string): number =>
      Number(new RegExp(`^alertmanager_${name}\\{integration="${kind}"\\} (\\S+)$`, 'm').exec(metrics)?.[1]);
    return { sent: count('notifications_total'), failed: count('notification_requests_failed_total') };
  }

  async stop(): Promise<void> {
    await this.#process.stop();
    await fs.rm(this.#folder, { recursive: true });
  }

  async #get(of: string): Promise<string> {
    const response = await fetch(this.#url + of);
    if (!response.ok) throw new Error(`Alertmanager answered ${response.status}`);
    return response.text();
  }
}
