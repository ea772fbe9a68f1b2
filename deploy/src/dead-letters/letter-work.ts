import type { DeadLetter } from '@tocsin/events';
import type { DeadLetterRedrive, LetterEntry } from '@tocsin/kafka';
import type { Command, Selection } from './command-line.ts';
import { decoded, letterTable, letterText, printable } from './letter-texts.ts';

/** 0: done; 1: something could not be done; 2: the command was not understood. */
export type ExitCode = 0 | 1 | 2;

/** The person who asked. */
export interface Surface {
  say(line: string): void;
  complain(line: string): void;
  /** Undefined where there is no terminal. */
  confirm(question: string): Promise<boolean | undefined>;
}

type Box = Pick<DeadLetterRedrive, 'entries' | 'letters' | 'redrive'>;
type Of<K extends Command['kind']> = Extract<Command, { kind: K }>;

/** The letters of one installation, for the person at the terminal. `topicPrefix` is left out of the names of groups. */
export class LetterWork {
  readonly #box: Box;
  readonly #surface: Surface;
  readonly #topicPrefix: string;

  constructor(parts: { readonly box: Box; readonly surface: Surface; readonly topicPrefix: string }) {
    this.#box = parts.box;
    this.#surface = parts.surface;
    this.#topicPrefix = parts.topicPrefix;
  }

  /** Does what `command` asks for. @throws Error when Kafka is unavailable. */
  do(command: Exclude<Command, { kind: 'help' }>): Promise<ExitCode> {
    if (command.kind === 'list') return this.#list(command);
    return command.kind === 'show' ? this.#show(command) : this.#redrive(command);
  }

  async #list({ selection, limit, page, json }: Of<'list'>): Promise<ExitCode> {
    const found = await this.#selected(selection);
    const end = Math.max(0, found.length - (page - 1) * limit);
    const shown = found.slice(Math.max(0, end - limit), end);
    if (json) this.#surface.say(JSON.stringify({ total: found.length, page, letters: shown.map(withoutPlace) }));
    else if (found.length === 0) this.#surface.say('There are no dead letters.');
    else if (shown.length === 0)
      this.#surface.say(`There is no page ${String(page)} of ${String(found.length)} letters.`);
    else this.#sayPage(shown, found.length, end - shown.length, page);
    return 0;
  }

  #sayPage(shown: readonly LetterEntry[], total: number, older: number, page: number): void {
    for (const line of letterTable(shown)) this.#surface.say(line);
    const rest = older > 0 ? ` ${String(older)} are older: --page ${String(page + 1)}.` : '';
    this.#surface.say(`${String(shown.length)} of ${letters(total)}.${rest}`);
  }

  async #show({ address, json }: Of<'show'>): Promise<ExitCode> {
    const entries = (await this.#entries()).filter((entry) => entry.address === address);
    const found = await this.#box.letters(entries);
    const both = entries.flatMap((entry) => {
      const letter = found.find(({ groupId }) => this.#withoutPrefix(groupId) === entry.groupId);
      return letter === undefined ? [] : [{ entry, letter }];
    });
    if (both.length === 0) return this.#unknown([address]);
    if (json) this.#surface.say(JSON.stringify(both.map(({ entry, letter }) => whole(entry, letter))));
    else for (const { entry, letter } of both) for (const line of letterText(entry, letter)) this.#surface.say(line);
    return 0;
  }

  async #redrive(command: Of<'redrive'>): Promise<ExitCode> {
    const { addresses, again, selection, yes } = command;
    const known = byRecord(await this.#selected(selection));
    const unknown = (addresses ?? []).filter((address) => !known.has(address));
    if (unknown.length > 0) return this.#unknown(unknown);
    const named = addresses ?? [...known.keys()];
    const entries = named.flatMap((address) => known.get(address) ?? []);
    if (addresses !== undefined && !again) this.#sayDone(entries);
    const wanted = entries.filter(({ redrivenAt }) => redrivenAt === undefined || again);
    if (wanted.length === 0) {
      this.#surface.say('There is nothing to redrive.');
      return 0;
    }
    const agreed = yes || (await this.#surface.confirm(questionAbout(wanted)));
    return agreed === true ? this.#put(wanted) : this.#left(agreed);
  }

  #sayDone(entries: readonly LetterEntry[]): void {
    for (const { address, redrivenAt } of entries)
      if (redrivenAt !== undefined)
        this.#surface.say(`${printable(address)}: redriven ${redrivenAt} already; --again does it once more`);
  }

  #left(answer: false | undefined): ExitCode {
    if (answer === undefined) this.#surface.complain('There is no terminal to ask: give --yes.');
    else this.#surface.say('Nothing was redriven.');
    return answer === undefined ? 2 : 1;
  }

  async #put(wanted: readonly LetterEntry[]): Promise<ExitCode> {
    let [done, refusals] = [0, 0];
    try {
      await this.#box.redrive(wanted, ({ address, refused }) => {
        if (refused === undefined) done += 1;
        else refusals += 1;
        const at = `[${String(done + refusals)}/${String(wanted.length)}] ${printable(address)}`;
        if (refused === undefined) this.#surface.say(`${at}: on its topic again`);
        else this.#surface.complain(`${at}: not redriven. ${printable(refused)}`);
      });
    } finally {
      this.#surface.say(`${letters(done)} redriven, ${String(wanted.length - done)} not.`);
    }
    return done === wanted.length ? 0 : 1;
  }

  #unknown(addresses: readonly string[]): ExitCode {
    for (const address of addresses) this.#surface.complain(`There is no dead letter ${address}.`);
    return 1;
  }

  async #selected({ topic, group, since }: Selection): Promise<readonly LetterEntry[]> {
    return (await this.#entries()).filter(
      (entry) =>
        (topic === undefined || entry.topic === topic) &&
        (group === undefined || entry.groupId === this.#withoutPrefix(group)) &&
        (since === undefined || Date.parse(entry.failedAt) >= since.getTime()),
    );
  }

  async #entries(): Promise<readonly LetterEntry[]> {
    const entries = await this.#box.entries();
    return entries.map((entry) => ({ ...entry, groupId: this.#withoutPrefix(entry.groupId) }));
  }

  #withoutPrefix(group: string): string {
    return group.startsWith(this.#topicPrefix) ? group.slice(this.#topicPrefix.length) : group;
  }
}

/** One letter of each record: one that holds the value and waits, where several groups wrote one. */
function byRecord(entries: readonly LetterEntry[]): ReadonlyMap<string, LetterEntry> {
  const best = new Map<string, LetterEntry>();
  const rank = ({ whole, redrivenAt }: LetterEntry): number => Number(whole) + 2 * Number(redrivenAt === undefined);
  for (const entry of entries) {
    const before = best.get(entry.address);
    if (before === undefined || rank(entry) > rank(before)) best.set(entry.address, entry);
  }
  return best;
}

function questionAbout(wanted: readonly LetterEntry[]): string {
  const topics = [...Map.groupBy(wanted, ({ topic }) => topic)].map(
    ([topic, own]) => `${String(own.length)} of ${printable(topic)}`,
  );
  return `Put the records of ${letters(wanted.length)} on their topics again (${topics.join(', ')})? [y/N] `;
}

const letters = (count: number): string => (count === 1 ? '1 letter' : `${String(count)} letters`);

/** Where a letter stands on its own topic is no information for an operator. */
const withoutPlace = (entry: LetterEntry) => ({ ...entry, stored: undefined });

const whole = (entry: LetterEntry, { key, value }: DeadLetter) => ({
  ...withoutPlace(entry),
  ...(key === undefined ? {} : { key: decoded(key) }),
  ...(value === undefined ? {} : { value: decoded(value) }),
});
