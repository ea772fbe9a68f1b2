import { ATTACHMENT_LIMITS } from '@tocsin/api';
import type { AlertCommand, CreateAlert } from '@tocsin/events';
import type { Alert } from '../alerts/alert.ts';
import { via, type Decided } from '../alerts/decided.ts';
import { SYSTEM, type Writing } from '../alert-log/entry.ts';

/** A stored file: kept until a create names it, or attached to an alert. */
export interface FoundFile {
  readonly id: string;
  readonly name: string;
  /** Undefined while no alert has it. */
  readonly alertId: string | undefined;
}

/** A file that the batch attaches to an alert. */
export interface FileLink {
  readonly fileId: string;
  readonly alertId: string;
}

type Changed = Extract<Decided, { kind: 'changed' }>;

/** The files of a batch during processing. Each file goes to one alert, and no alert gets more than its limit (P13). */
export class AttachmentLinks {
  readonly #free: Map<string, string>;
  readonly #held: Map<string, number>;
  readonly #dropped = new Set<string>();
  /** The files attached so far. */
  readonly links: FileLink[] = [];

  constructor(files: readonly FoundFile[]) {
    this.#free = new Map(files.filter(({ alertId }) => alertId === undefined).map(({ id, name }) => [id, name]));
    this.#held = new Map();
    for (const { alertId } of files) if (alertId !== undefined) this.#count(alertId);
  }

  /**
   * Attaches the files that a create names to the alert that it made or was folded into. The log lists them, and says
   * how many were left out.
   */
  link(decided: Changed, command: AlertCommand, before: Alert | undefined): Changed {
    if (command.kind !== 'create') return decided;
    const { attachments = [], attachmentsLeftOut = 0 } = command.alert;
    if (attachments.length + attachmentsLeftOut === 0) return decided;
    const alertId = before?.id ?? command.alert.alertId;
    const outcomes = attachments.map((id) => this.#give(id, alertId));
    const lost = outcomes.filter((outcome) => outcome === 'lost').length;
    const excess = outcomes.filter((outcome) => outcome === 'excess').length;
    const logs = [
      ...outcomes.filter((outcome) => typeof outcome === 'object').map(({ name }) => added(name, command)),
      ...(lost > 0 ? [leftOut(lost, 'they are kept no longer')] : []),
      ...(attachmentsLeftOut > 0
        ? [leftOut(attachmentsLeftOut, 'the files of mails take all the space that they may')]
        : []),
      ...(excess > 0 ? [leftOut(excess, `over ${String(ATTACHMENT_LIMITS.files)}`)] : []),
    ];
    return { ...decided, change: { ...decided.change, logs: [...decided.change.logs, ...logs] } };
  }

  /** Records that a create changed nothing, so that its files are released. */
  dropped(command: AlertCommand): void {
    if (command.kind === 'create') for (const id of command.alert.attachments ?? []) this.#dropped.add(id);
  }

  /** The files of such creates that no alert of the batch got. */
  released(): readonly string[] {
    return [...this.#dropped].filter((id) => this.#free.has(id));
  }

  #give(fileId: string, alertId: string): { readonly name: string } | 'lost' | 'excess' {
    const name = this.#free.get(fileId);
    if (name === undefined) return 'lost';
    if ((this.#held.get(alertId) ?? 0) >= ATTACHMENT_LIMITS.files) return 'excess';
    this.#free.delete(fileId);
    this.#count(alertId);
    this.links.push({ fileId, alertId });
    return { name };
  }

  #count(alertId: string): void {
    this.#held.set(alertId, (this.#held.get(alertId) ?? 0) + 1);
  }
}

type Entry = Writing['logs'][number];

const added = (name: string, command: CreateAlert): Entry => ({
  log: `Attachment [${name}] added ${via(command, 'Create Alert')}`,
  type: 'alertAction',
  owner: command.actor,
});

const leftOut = (count: number, why: string): Entry => ({
  log: `attachments: ${String(count)} were left out, ${why}.`,
  type: 'system',
  owner: SYSTEM,
});
