import { bindable, freePort } from '@tocsin/local-stack';
import { claimFolder, requireFree, requireFreePorts, thisProcess } from '../claim.ts';
import { DataFolder, type Secrets } from '../data-folder.ts';
import { seedDemoOf } from '../demo/seed-demo-of.ts';
import { RunRecord } from '../run-record.ts';
import type { RunningSystem, SystemFacts } from '../running-system.ts';
import type { Page, Settings } from '../settings.ts';
import { terminal } from '../terminal.ts';
import { ComposeProject } from './compose-project.ts';
import { composeVariables, USUAL_PORTS } from './compose-variables.ts';

const NO_SECRETS: Secrets = { apiKey: '', signingKey: '', mongoKey: '' };

/** One Tocsin in containers: Docker keeps its data in volumes and starts again what dies. */
export class DockerInstallation implements RunningSystem {
  readonly #root: string;
  readonly #settings: Settings;
  readonly #folder: DataFolder;
  readonly #record: RunRecord;
  readonly #project: ComposeProject;
  readonly #ending = new AbortController();
  #secrets = NO_SECRETS;
  #pagePorts = USUAL_PORTS;
  #claimed = false;
  #starting: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(root: string, settings: Settings) {
    this.#root = root;
    this.#settings = settings;
    this.#folder = new DataFolder(settings.dataFolder);
    this.#record = new RunRecord(this.#folder.runRecord);
    this.#project = new ComposeProject(root, this.#folder);
  }

  get apiKey(): string {
    return this.#secrets.apiKey;
  }

  get facts(): SystemFacts {
    const page = (name: Page): string => `http://127.0.0.1:${this.#pagePorts[name]}`;
    return {
      secretsFile: this.#folder.secretsFile,
      mailboxUrl: this.#settings.smtpUrl === undefined ? page('mailbox') : undefined,
      mailPort: this.#settings.mailPort,
      data: `volumes of Docker (emptied by npm run reset), logs: ${this.#project.command} logs`,
      monitoring: { grafanaUrl: page('grafana'), prometheusUrl: page('prometheus') },
    };
  }

  async start(): Promise<void> {
    this.#starting = this.#bringUp();
    await this.#starting;
  }

  async stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    await this.#stopping;
  }

  async #bringUp(): Promise<void> {
    await this.#claim();
    terminal.say('Containers: building or pulling images that are missing, and starting');
    await this.#project.up(this.#ending.signal);
    await seedDemoOf(this.#settings, this.apiKey);
  }

  /** What starts is let end before the rest is stopped: it would go on making containers. */
  async #stopAll(): Promise<void> {
    this.#ending.abort();
    await this.#starting?.catch(() => undefined);
    if (!this.#claimed) return;
    await this.#project.stop();
    this.#record.release();
  }

  /** Takes the data folder and the ports for this process, or says who has them. */
  async #claim(): Promise<void> {
    await claimFolder(this.#folder, this.#record);
    // Containers outlive a supervisor that was killed, and would hold the ports.
    if (this.#folder.keptBy === 'docker') await this.#project.stop();
    await requireFreePorts(this.#settings);
    const { pagePorts } = this.#settings;
    this.#pagePorts = {
      mailbox: await portOf('mailbox', pagePorts.mailbox),
      prometheus: await portOf('prometheus', pagePorts.prometheus),
      grafana: await portOf('grafana', pagePorts.grafana),
    };
    this.#secrets = this.#folder.secrets(this.#settings.apiKey);
    this.#folder.keepComposeVariables(
      composeVariables(this.#root, this.#settings, this.#secrets, this.#pagePorts, this.#folder.composeVariables()),
    );
    this.#record.claim(thisProcess());
    this.#claimed = true;
  }
}

async function portOf(page: Page, wanted: number | undefined): Promise<number> {
  if (wanted !== undefined) {
    await requireFree(`${page.toUpperCase()}_PORT`, wanted);
    return wanted;
  }
  return (await bindable(USUAL_PORTS[page])) ? USUAL_PORTS[page] : await freePort();
}
