import type { ServiceContext } from '@tocsin/service';
import { addLeaseTask, type WorkLease } from '../leased-work.ts';
import type { BotClient, ReadUpdates } from './client.ts';
import type { TakeUpdates } from './operations.ts';

/** The pause after an answer that does not change by itself, such as that of a wrong token. */
const REFUSED_PAUSE_MS = 60_000;
/** The pause after another failure. */
const FAILED_PAUSE_MS = 5_000;
/** 10 updates, each with calls that do not answer. */
const RUN_TIMEOUT_MS = 400_000;

export interface ReadBotPorts {
  readonly client: Pick<BotClient, 'updates'>;
  readonly updates: Pick<TakeUpdates, 'take'>;
  /** Whether this process has the lease of the reader. */
  readonly isLeased: () => boolean;
  /** Called with why updates cannot be read, each time; with undefined once they can. */
  readonly onRead: (failure: string | undefined) => Promise<void>;
}

/**
 * Reads the updates of the bot of the installation, in one process at a time: Telegram lets one program read. An update is confirmed to
 * Telegram once it has had its effect, so after a crash it comes again.
 */
export class ReadBot {
  readonly #ports: ReadBotPorts;
  /** Confirms the updates that were taken. Undefined where all are confirmed: after a week without one Telegram counts anew, perhaps from below. */
  #offset: number | undefined;

  constructor(ports: ReadBotPorts) {
    this.#ports = ports;
  }

  /** One look at the updates. Resolves with the pause until the next one. @throws errors of the stores */
  async activate(stopping: AbortSignal): Promise<{ readonly pauseMs: number }> {
    const { client, isLeased, onRead } = this.#ports;
    if (!isLeased()) {
      // The process that holds the lease confirms what it takes.
      this.#offset = undefined;
      return { pauseMs: REFUSED_PAUSE_MS };
    }
    const read = await client.updates(this.#offset, stopping);
    if (stopping.aborted || !isLeased()) return { pauseMs: 0 };
    await onRead(read.kind === 'failed' ? read.reason : undefined);
    if (read.kind === 'failed') return { pauseMs: pauseAfter(read) };
    this.#offset = undefined;
    await this.#take(read, stopping);
    return { pauseMs: 0 };
  }

  async #take({ updates }: Extract<ReadUpdates, { readonly kind: 'read' }>, stopping: AbortSignal): Promise<void> {
    for (const update of updates) {
      if (stopping.aborted || !this.#ports.isLeased()) return;
      await this.#ports.updates.take(update);
      this.#offset = update.id + 1;
      // It is confirmed before a later update, so that after a crash it ends no link that the account makes after it.
      if (update.kind === 'stop') return;
    }
  }
}

const pauseAfter = ({ isForGood, retryAfterMs }: Extract<ReadUpdates, { readonly kind: 'failed' }>): number =>
  Math.min(REFUSED_PAUSE_MS, retryAfterMs ?? (isForGood ? REFUSED_PAUSE_MS : FAILED_PAUSE_MS));

const READ = 'read-telegram';

/** Reads the updates until the stop, while this process holds the lease. */
export function addBotTasks(
  context: Pick<ServiceContext, 'tasks'>,
  { bot, lease }: { readonly bot: ReadBot; readonly lease: WorkLease },
): void {
  context.tasks.add({
    name: READ,
    everyMs: REFUSED_PAUSE_MS,
    timeoutMs: RUN_TIMEOUT_MS,
    activate: (stopping) => bot.activate(stopping),
  });
  addLeaseTask(context, { lease, name: 'lease-of-telegram', work: READ });
}
