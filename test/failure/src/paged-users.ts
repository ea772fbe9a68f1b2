import { setTimeout as pause } from 'node:timers/promises';
import { Caller } from '@tocsin/test-e2e/cluster';
import { Scenario, stepTo, type ScenarioApi } from '@tocsin/testkit';
import type { AlertKind } from './expectations.ts';

/** So many that no user gets more than two messages a second, which go one after the other. */
const PAIRS = 6;
const DOMAIN = 'failure.example.com';
const REPEAT_FOR_MS = 60_000;
const REPEAT_AFTER_MS = 500;
/** Longer than the second in which other services know the changes of a user (E13). */
const KNOWN_AFTER_MS = 3_000;

/** Two users of whom an alert pages the first at once and the second later, by their addresses. */
export interface PagedPair {
  readonly first: string;
  readonly second: string;
  /** The name of each user by the address. */
  readonly usernames: ReadonlyMap<string, string>;
  /** The escalation that an alert names as its responder. */
  responder(kind: AlertKind): object;
}

/** The API as the suite configures an installation by it. A request without a final answer is sent again, for a minute at most. */
class ConfiguringApi implements ScenarioApi {
  readonly #caller: Caller;

  constructor(url: string, key: string) {
    this.#caller = new Caller(url, key, 'new');
  }

  async expect(status: number, method: string, path: string, body?: unknown) {
    const until = performance.now() + REPEAT_FOR_MS;
    for (;;) {
      const answer = await this.#caller.send(method, path, body);
      if (answer.status === status) return { body: answer.body };
      const isPassing = [0, 429, 503].includes(answer.status);
      if (!isPassing || performance.now() > until)
        throw new Error(`${method} ${path}: ${answer.error ?? answer.status} ${JSON.stringify(answer.body)}`);
      await pause(REPEAT_AFTER_MS);
    }
  }

  async read<T>(path: string): Promise<T> {
    return (await this.expect(200, 'GET', path)).body['data'] as T;
  }

  async create<T = { readonly id: string }>(path: string, body: unknown): Promise<T> {
    return (await this.expect(201, 'POST', path, body)).body['data'] as T;
  }
}

/** Creates users and escalations. Half of the users are paged by mail, the others by text message. @throws Error with a refusal. */
export async function createPairs(url: string, key: string): Promise<readonly PagedPair[]> {
  const api = new ConfiguringApi(url, key);
  const scenario = new Scenario(api, DOMAIN, new Date());
  const pairs: PagedPair[] = [];
  for (let number = 0; number < PAIRS; number += 1) pairs.push(await createPair(api, scenario, number));
  await pause(KNOWN_AFTER_MS);
  return pairs;
}

async function createPair(api: ScenarioApi, scenario: Scenario, number: number): Promise<PagedPair> {
  const [first, second] = [`first${number}`, `second${number}`];
  await scenario.users(first, second);
  const byText = number % 2 === 0 ? second : first;
  const phone = `1-555${String(5_550_000 + number)}`;
  await api.create(`/v2/users/${scenario.address(byText)}/contacts`, { method: 'sms', to: phone });
  await scenario.changeRule(byText, 'create-alert', { steps: [stepTo(phone, 0, 'sms')] });
  const [now, later] = [`Now ${number}`, `Now and later ${number}`];
  const toFirst = { delay: 0, to: { type: 'user', name: first } } as const;
  await scenario.escalation(now, toFirst);
  await scenario.escalation(later, toFirst, { delay: 1, to: { type: 'user', name: second } });
  const addressOf = (name: string) => (name === byText ? `+${phone.replace('-', '')}` : scenario.address(name));
  return {
    first: addressOf(first),
    second: addressOf(second),
    usernames: new Map([first, second].map((name) => [addressOf(name), scenario.address(name)])),
    responder: (kind) => scenario.responder('escalation', kind === 'one step' ? now : later),
  };
}
