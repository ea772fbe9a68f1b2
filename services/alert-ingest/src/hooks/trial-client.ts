import { z } from 'zod';
import { UnavailableError } from '@tocsin/core';
import { type CommandTrial, CommandTrialAnswer, type TriedCommand } from '@tocsin/events';
import type { InternalClient } from '@tocsin/http';

/** What commands would come to; undefined where alert-processor does not say so in time. */
export type TryCommands = (trial: CommandTrial) => Promise<readonly TriedCommand[] | undefined>;

const Answer = z.object({ data: CommandTrialAnswer });

/** Asks alert-processor. The result of a trial is of use without it, as while alert-processor is unavailable or busy. */
export const tryCommandsBy =
  (alertProcessor: Pick<InternalClient, 'post'>): TryCommands =>
  async (trial) => {
    try {
      const answer = Answer.safeParse((await alertProcessor.post('/internal/command-trials', trial)).body);
      return answer.success ? answer.data.data.commands : undefined;
    } catch (error) {
      if (error instanceof UnavailableError) return undefined;
      throw error;
    }
  };
