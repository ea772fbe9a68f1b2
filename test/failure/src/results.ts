import fs from 'node:fs';
import path from 'node:path';
import { balanced, type RunRecord } from './balance.ts';
import { conclusion, missedBars, type RunState } from './problems.ts';
import { report, type Skipped } from './report.ts';

/** The files of a run: the table, and a record of all alerts and arrivals, to find out what became of one of them. */
export class Results {
  readonly #files: { readonly report: string; readonly record: string };
  readonly #machine: string;
  readonly #skipped: readonly Skipped[];
  #state: RunState = 'under way';

  /** `machine` stands above the table. */
  constructor(
    files: { readonly report: string; readonly record: string },
    options: { readonly machine: string; readonly skipped: readonly Skipped[] },
  ) {
    this.#files = files;
    this.#machine = options.machine;
    this.#skipped = options.skipped;
  }

  /**
   * Writes the faults so far; returns what misses the bar. Once a run was stopped or has ended, nothing is written any more. `broken` says
   * why the run did not come to its end.
   */
  write(record: RunRecord, state: RunState, broken: readonly string[] = []): readonly string[] {
    const balances = balanced(record);
    const missed = missedBars(balances, broken);
    if (this.#state !== 'under way') return missed;
    this.#state = state;
    const text = conclusion(state, missed, this.#skipped.length);
    for (const file of Object.values(this.#files)) fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(this.#files.report, `${this.#machine}\n\n${report(balances, this.#skipped)}\n\n${text}\n`);
    const { interruptions, settled } = record;
    const lists = { interruptions: [...interruptions], settled: [...settled] };
    fs.writeFileSync(this.#files.record, JSON.stringify({ ...record, ...lists }));
    return missed;
  }
}
