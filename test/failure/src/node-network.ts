import fs from 'node:fs';
import { command } from '@tocsin/test-e2e/cluster';
import type { NodePlace } from '@tocsin/testkit';

const IP = 'ip';
/** Of the range for tests of networks (RFC 2544), which no network of a machine uses. */
const SUBNETS = 254;

/**
 * Networks of their own for the nodes of the engines, on a bridge of this machine, so that a node can be cut off from all others and
 * from the services. Needs root on Linux.
 */
export class NodeNetwork {
  readonly #bridge: string;
  readonly #nodes: readonly { readonly namespace: string; readonly link: string; readonly host: string }[];

  private constructor(count: number) {
    const { pid } = process;
    const subnet = `198.18.${pid % SUBNETS}`;
    this.#bridge = `tcb${pid}`;
    this.#nodes = Array.from({ length: count }, (_, index) => ({
      namespace: `tocsin-${pid}-${index}`,
      link: `tcv${pid}n${index}`,
      host: `${subnet}.${11 + index}`,
    }));
  }

  /** Whether this process may make networks. */
  static async isPossible(): Promise<boolean> {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
    return command(IP, ['-V']).then(
      () => true,
      () => false,
    );
  }

  /** Makes networks for so many nodes, and removes those that a killed run left. @throws Error with what `ip` said. */
  static async open(count: number): Promise<NodeNetwork> {
    await removeLeftovers();
    const network = new NodeNetwork(count);
    try {
      await network.#make();
      return network;
    } catch (error) {
      await network.close();
      throw error;
    }
  }

  /** Where each node runs. */
  get places(): readonly NodePlace[] {
    return this.#nodes.map(({ host, namespace }) => ({ host, within: [IP, 'netns', 'exec', namespace] }));
  }

  /** No packet reaches or leaves the node from now on; its connections stay open on both sides. */
  async cutOff(node: number): Promise<void> {
    await ip('link', 'set', this.#linkOf(node), 'down');
  }

  async join(node: number): Promise<void> {
    await ip('link', 'set', this.#linkOf(node), 'up');
  }

  /** Removes what it made, once its nodes have ended. */
  async close(): Promise<void> {
    for (const { namespace } of this.#nodes) await ip('netns', 'del', namespace).catch(() => undefined);
    await ip('link', 'del', this.#bridge).catch(() => undefined);
  }

  #linkOf(node: number): string {
    const link = this.#nodes[node]?.link;
    if (link === undefined) throw new Error(`There is no node ${node}.`);
    return link;
  }

  async #make(): Promise<void> {
    const gateway = this.#nodes[0]?.host.replace(/\d+$/, '1') ?? '';
    await ip('link', 'add', this.#bridge, 'type', 'bridge');
    await ip('addr', 'add', `${gateway}/24`, 'dev', this.#bridge);
    await ip('link', 'set', this.#bridge, 'up');
    for (const { host, link, namespace } of this.#nodes) {
      await ip('netns', 'add', namespace);
      await ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
      await ip('link', 'set', link, 'master', this.#bridge, 'up');
      await ip('-n', namespace, 'addr', 'add', `${host}/24`, 'dev', 'eth0');
      for (const device of ['lo', 'eth0']) await ip('-n', namespace, 'link', 'set', device, 'up');
    }
  }
}

const ip = (...args: readonly string[]): Promise<string> => command(IP, args);

/** Networks whose process has ended. */
async function removeLeftovers(): Promise<void> {
  const listed = `${await ip('netns', 'list')}\n${await ip('-brief', 'link')}`;
  for (const [, name = '', pid = ''] of listed.matchAll(/^(tocsin-(\d+)-\d+)\b/gm))
    if (!isAlive(pid)) await ip('netns', 'del', name).catch(() => undefined);
  for (const [, name = '', pid = ''] of listed.matchAll(/^(tcb(\d+))\b/gm))
    if (!isAlive(pid)) await ip('link', 'del', name).catch(() => undefined);
}

const isAlive = (pid: string): boolean => fs.existsSync(`/proc/${pid}`);
