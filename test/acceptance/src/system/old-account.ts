import fs from 'node:fs';
import path from 'node:path';
import { OPSGENIE_KEYS, opsgenieAccount, type OpsgenieDouble, startOpsgenie } from '@tocsin/testkit';
import type { CommandLine } from './command-line.ts';

/** An account of Opsgenie without anything but what a test adds, and the folders and the key of a person who moves it. */
export class OldAccount {
  readonly opsgenie: OpsgenieDouble;
  readonly #cli: CommandLine;
  #things = 0;

  private constructor(opsgenie: OpsgenieDouble, cli: CommandLine) {
    this.opsgenie = opsgenie;
    this.#cli = cli;
    fs.writeFileSync(path.join(cli.folder, 'key.txt'), OPSGENIE_KEYS.account, { mode: 0o600 });
  }

  static async start(cli: CommandLine): Promise<OldAccount> {
    const whole = opsgenieAccount();
    const lists = Object.entries(whole).filter(([name]) => name !== 'account' && name !== 'rateLimits');
    const empty = lists.map(([name, list]) => [name, list instanceof Map ? new Map() : []] as const);
    return new OldAccount(await startOpsgenie({ ...whole, ...Object.fromEntries(empty) }), cli);
  }

  /** Adds a user; resolves with the id in Opsgenie. */
  user(username: string): string {
    const id = this.#newId(1);
    const role = { id: 'User', name: 'User' };
    this.opsgenie.account.users.push({ id, username, fullName: username, role, locale: 'en_US', timeZone: 'UTC' });
    return id;
  }

  /** Adds a team without members; resolves with the id in Opsgenie. */
  team(name: string): string {
    const id = this.#newId(2);
    this.opsgenie.account.teams.push({ id, name, description: '', members: [] });
    return id;
  }

  /** Moves the account, where Tocsin has its users and teams under other ids: these keep what they are in Tocsin. */
  async adopt(): Promise<void> {
    await this.#cli.json('import', 'fetch', ...this.source, '--to', this.#snapshot);
    await this.#cli.json('import', 'apply', '--from-snapshot', this.#snapshot, '--adopt', '--take', 'ours');
  }

  /** The options that name the account and its key. */
  get source(): readonly string[] {
    return ['--from', this.opsgenie.url, '--key-file', path.join(this.#cli.folder, 'key.txt')];
  }

  /** The arguments of `tocsin shadow report`. */
  get report(): readonly string[] {
    return ['shadow', 'report', ...this.source, '--place', path.join(this.#cli.folder, 'mirror')];
  }

  /** The arguments of `tocsin shadow mirror`. */
  get mirror(): readonly string[] {
    const place = path.join(this.#cli.folder, 'mirror');
    return ['shadow', 'mirror', ...this.source, '--place', place, '--from-snapshot', this.#snapshot];
  }

  get #snapshot(): string {
    return path.join(this.#cli.folder, 'snapshot');
  }

  #newId(kind: number): string {
    this.#things += 1;
    return `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(this.#things).padStart(12, '0')}`;
  }
}
