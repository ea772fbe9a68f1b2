import { GenericContainer, type StartedNetwork, type WaitStrategy } from 'testcontainers';

/** By these a run finds its containers again, to remove them whatever became of its tests. */
export const RUN_LABEL = 'tocsin.e2e.run';
export const PART_LABEL = 'tocsin.e2e.part';

/** More threads and processes than Node or a shell need, and few enough that a leak is noticed. */
const MAX_PROCESSES = 100;

/** The parts of a container of a stack. */
export interface PartPlan {
  /** Its name on the network. */
  readonly name: string;
  readonly image: string;
  readonly network: StartedNetwork;
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  /** Those that are reached from this machine. */
  readonly ports?: readonly number[];
  /** Texts by the paths of their files. */
  readonly files?: Readonly<Record<string, string>>;
  /** Names beside those of the network, and their addresses. */
  readonly hosts?: Readonly<Record<string, string>>;
  /** As in a cluster: so much memory, a root that is only read, a writable /tmp, user 1000, no capability. */
  readonly confinedToMiB?: number;
}

/** The caller who starts a container also waits for it. */
const NO_WAIT: WaitStrategy = {
  waitUntilReady: () => Promise.resolve(),
  withStartupTimeout: () => NO_WAIT,
  isStartupTimeoutSet: () => true,
  getStartupTimeout: () => 0,
};

/** A container that `start` starts without a wait. */
export class PlannedContainer extends GenericContainer {
  constructor(plan: PartPlan, run: string) {
    super(plan.image);
    this.withNetwork(plan.network)
      .withNetworkAliases(plan.name)
      .withLabels({ [RUN_LABEL]: run, [PART_LABEL]: plan.name })
      .withEnvironment({ ...plan.environment })
      .withExposedPorts(...(plan.ports ?? []))
      .withCopyContentToContainer(Object.entries(plan.files ?? {}).map(([target, content]) => ({ target, content })))
      .withExtraHosts(Object.entries(plan.hosts ?? {}).map(([host, ipAddress]) => ({ host, ipAddress })))
      .withWaitStrategy(NO_WAIT);
    // A cluster has probes of its own, and each check of the image's would start one more Node.
    this.createOpts.Healthcheck = { Test: ['NONE'] };
    if (plan.command !== undefined) this.withCommand([...plan.command]);
    if (plan.confinedToMiB !== undefined) this.#confine(plan.confinedToMiB);
  }

  #confine(mebibytes: number): void {
    this.withUser('1000:1000')
      .withTmpFs({ '/tmp': 'rw' })
      .withDroppedCapabilities('ALL')
      .withSecurityOpt('no-new-privileges')
      .withResourcesQuota({ memory: mebibytes / 1_024 });
    this.hostConfig.ReadonlyRootfs = true;
    this.hostConfig.PidsLimit = MAX_PROCESSES;
  }
}
