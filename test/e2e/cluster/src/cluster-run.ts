import { setTimeout as pause } from 'node:timers/promises';
import { SERVICES } from '@tocsin/events';
import { AlertLoad, type PagedTeam } from './alert-load.ts';
import type { Cluster, Pod } from './cluster.ts';
import { command } from './command.ts';
import type { Call, Ledger, Phase, SentAlert } from './ledger.ts';
import { MailSinkPod } from './mail-sink-pod.ts';
import { Furnishing, HEARTBEAT } from './people.ts';
import { EVERYTHING, podsOf, type Release } from './release.ts';
import type { Settings } from './settings.ts';
import { Settlements } from './settlements.ts';

const WHOLE_WITHIN_MS = 300_000;
/** The process that kills a container is not the node, which notices it by looking. */
const REPLACED_WITHIN_MS = 60_000;
const SETTLED_WITHIN_MS = 180_000;
/** The second user of an alert is paged a minute after the first. */
const PAGED_WITHIN_MS = 180_000;

/** One of each service that answers over HTTP. */
const READS = [
  ['GET', '/v2/alerts?limit=1'],
  ['GET', '/v2/integrations'],
  ['GET', '/v2/escalations'],
  ['GET', '/v2/users?limit=1'],
  ['POST', `/v2/heartbeats/${HEARTBEAT}/ping`],
] as const;

interface PhasePlan {
  readonly name: string;
  readonly isOrderly: boolean;
  readonly wantedRestarts: number;
  readonly work: () => Promise<unknown>;
}

/** The steps of a run on one cluster, and their ledger. */
export class ClusterRun {
  readonly #settings: Settings;
  readonly #cluster: Cluster;
  readonly #release: Release;
  readonly #say: (line: string) => void;
  readonly #sink: MailSinkPod;
  readonly #phases: Phase[] = [];
  readonly #alerts: SentAlert[] = [];
  readonly #reads: Call[] = [];
  readonly #run: string;
  #settled: ReadonlySet<string> = new Set();
  /** Pod -> how often its containers were started again, at the end of the last phase. */
  #restarts: ReadonlyMap<string, number> = new Map();
  #teams: readonly PagedTeam[] = [];
  #load: AlertLoad | undefined;

  /** `run` begins every alias. */
  constructor(
    settings: Settings,
    parts: { cluster: Cluster; release: Release; run: string; say: (line: string) => void },
  ) {
    this.#settings = settings;
    this.#cluster = parts.cluster;
    this.#release = parts.release;
    this.#run = parts.run;
    this.#say = parts.say;
    this.#sink = new MailSinkPod(parts.cluster);
  }

  get ledger(): Ledger {
    return {
      phases: this.#phases,
      alerts: this.#alerts,
      reads: this.#reads,
      settled: this.#settled,
      pages: this.#sink.mails,
    };
  }

  /** Installs, and makes teams to alert. */
  async install(): Promise<void> {
    const { imageRegistry, imageTag } = this.#settings;
    await this.#loadImages(imageTag);
    this.#say('starting the mailbox');
    await this.#sink.start(`${imageRegistry === '' ? '' : `${imageRegistry}/`}tocsin-gateway:${imageTag}`);
    this.#say('helm install');
    await this.#release.install(imageTag);
    this.#say('helm test');
    await this.#release.test();
    this.#say('making users, teams and escalations');
    const { key, url } = await this.#address();
    this.#teams = await new Furnishing(url, key).create();
  }

  /** Kills a pod of each service in turn and deletes one in order, under load. */
  async killEach(): Promise<void> {
    await this.#startLoad('a');
    await this.#phase({ name: 'nothing', isOrderly: true, wantedRestarts: 0, work: () => Promise.resolve() });
    for (const service of this.#settings.services ?? SERVICES) {
      await this.#phase(this.#kill(service));
      await this.#phase({
        name: `${service} deleted`,
        isOrderly: true,
        wantedRestarts: 0,
        work: () => this.#delete(service, []),
      });
    }
  }

  /** Changes the images of everything and goes back, under load. */
  async replaceAll(): Promise<void> {
    const { nextTag } = this.#settings;
    const orderly = { isOrderly: true, wantedRestarts: 0 };
    if (this.#settings.loadImage.length > 0)
      await this.#phase({ ...orderly, name: 'images loaded', work: () => this.#changeImages() });
    await this.#phase({ ...orderly, name: 'helm upgrade', work: () => this.#release.upgrade(nextTag) });
    await this.#phase({ ...orderly, name: 'helm rollback', work: () => this.#release.rollback() });
    await this.#stopLoad();
    await this.#settle();
  }

  /** Uninstalls, says what stays, and installs anew over it; what was settled has to be known still. */
  async reinstall(): Promise<void> {
    this.#say('helm uninstall');
    await this.#release.uninstall();
    this.#say(`what stays: ${await this.#stays()}`);
    this.#say('helm install over what stayed');
    await this.#release.install(this.#settings.imageTag);
    await this.#startLoad('b');
    await this.#phase({
      name: 'installed anew',
      isOrderly: true,
      wantedRestarts: 0,
      work: () => Promise.resolve(),
    });
    await this.#stopLoad();
    await this.#settle();
  }

  /** Ends the load of a run that cannot go on, so that its ledger says what came of it. */
  async breakOff(): Promise<void> {
    await this.#stopLoad();
    await this.#settle().catch(() => undefined);
  }

  /** Waits until all that was accepted is settled and every page is there, or until it is too late for it. */
  async #settle(): Promise<void> {
    this.#say('waiting until everything is settled and paged');
    const { key, url } = await this.#address();
    const settlements = new Settlements(url, key);
    const requestIds = this.#alerts.flatMap(({ requestId }) => requestId ?? []);
    this.#settled = await settlements.succeeded(requestIds, SETTLED_WITHIN_MS);
    settlements.close();
    const wanted = this.#alerts.reduce(
      (sum, { recipients, requestId }) => sum + (requestId === undefined ? 0 : recipients.length),
      0,
    );
    const until = performance.now() + PAGED_WITHIN_MS;
    const arrived = async (): Promise<number> =>
      new Set((await this.#sink.read()).map(({ subject, to }) => `${subject} ${to}`)).size;
    while ((await arrived()) < wanted && performance.now() < until) await pause(2_000);
  }

  async #startLoad(part: string): Promise<void> {
    const { key, url } = await this.#address();
    this.#load = new AlertLoad({
      url,
      key,
      rate: this.#settings.rate,
      teams: this.#teams,
      reads: READS,
      run: `${this.#run}${part}`,
      refused: (what) => {
        this.#say(`  refused: ${what}`);
      },
    });
  }

  async #stopLoad(): Promise<void> {
    await this.#load?.stop();
    this.#alerts.push(...(this.#load?.alerts ?? []));
    this.#reads.push(...(this.#load?.reads ?? []));
    this.#load = undefined;
  }

  async #phase({ isOrderly, name, wantedRestarts, work }: PhasePlan): Promise<void> {
    this.#say(name);
    const before = this.#restarts;
    const beganAt = performance.now();
    this.#load?.enter(name);
    await work();
    await pause(this.#settings.phaseSeconds * 1_000);
    this.#restarts = restartsOf(await this.#cluster.whole(EVERYTHING, WHOLE_WITHIN_MS));
    const seconds = (performance.now() - beganAt) / 1_000;
    const restarts = [...this.#restarts].reduce((sum, [pod, count]) => sum + count - (before.get(pod) ?? 0), 0);
    this.#phases.push({ name, isOrderly, seconds, restarts, wantedRestarts });
  }

  #kill(service: string): PhasePlan {
    const disorderly = { isOrderly: false };
    if (this.#settings.sigkill.length === 0) {
      const work = () => this.#delete(service, ['--grace-period=0', '--force']);
      return { ...disorderly, name: `${service} deleted, grace 0`, wantedRestarts: 0, work };
    }
    const work = () => this.#sigkill(service);
    return { ...disorderly, name: `SIGKILL to ${service}`, wantedRestarts: 1, work };
  }

  async #sigkill(service: string): Promise<void> {
    const [program = '', ...args] = this.#settings.sigkill;
    const { containerId, name } = await this.#readyPod(service);
    await command(program, [...args, containerId]);
    await this.#cluster.replaced(name, containerId, REPLACED_WITHIN_MS);
  }

  async #delete(service: string, how: readonly string[]): Promise<void> {
    const { name } = await this.#readyPod(service);
    await this.#cluster.kubectl(['delete', 'pod', name, '--wait=false', ...how]);
  }

  async #readyPod(service: string): Promise<Pod> {
    const { pods } = await this.#cluster.seen(podsOf(service));
    const pod = pods.find(({ isEnding, isReady }) => isReady && !isEnding);
    if (pod === undefined) throw new Error(`No pod of ${service} is ready.`);
    return pod;
  }

  async #address(): Promise<{ readonly url: string; readonly key: string }> {
    return { url: await this.#release.url(), key: await this.#release.key() };
  }

  async #stays(): Promise<string> {
    const kinds = 'all,configmaps,secrets,persistentvolumeclaims,serviceaccounts,networkpolicies,poddisruptionbudgets';
    return (await this.#cluster.staying(kinds)).join(', ');
  }

  async #loadImages(tag: string): Promise<void> {
    const { imageRegistry, kafkaImage, loadImage, mongoImage } = this.#settings;
    const [program, ...args] = loadImage;
    if (program === undefined) return;
    this.#say(`loading images of the tag ${tag}`);
    const prefix = imageRegistry === '' ? '' : `${imageRegistry}/`;
    const images = [...SERVICES.map((service) => `${prefix}tocsin-${service}:${tag}`), kafkaImage, mongoImage];
    for (const image of images.filter((image) => image !== undefined))
      await command(program, [...args, image], { timeoutMs: 300_000 });
  }

  /** Makes and loads the images that the upgrade changes to: the same with a label. */
  async #changeImages(): Promise<void> {
    const { imageTag, nextTag } = this.#settings;
    this.#say('making the changed images');
    for (const service of SERVICES)
      await command('docker', ['build', '--tag', `tocsin-${service}:${nextTag}`, '-'], {
        input: `FROM tocsin-${service}:${imageTag}\nLABEL io.tocsin.cluster-run=${nextTag}\n`,
        timeoutMs: 120_000,
      });
    await this.#loadImages(nextTag);
  }
}

const restartsOf = (pods: readonly Pod[]): ReadonlyMap<string, number> =>
  new Map(pods.map(({ name, restarts }) => [name, restarts]));
