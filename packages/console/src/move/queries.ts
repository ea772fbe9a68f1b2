import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { CallError } from '../api/call-error.ts';
import { call } from '../api/call.ts';
import { createStore } from '../shell/store.ts';
import type { Move, Shadow } from './move.ts';

/** How often each page reads both again: no hint names them. */
const EVERY_MS = 30_000;

export const SHADOW_PATH = '/v2/account/shadow';
export const MOVE_PATH = '/v2/account/move';

/** Whether the account is in shadow. */
export const shadowQuery = queryOptions({
  queryKey: ['shadow'],
  queryFn: async ({ signal }): Promise<Shadow> =>
    (await call<Answer<'get-shadow'>>({ path: SHADOW_PATH, signal })).data,
  refetchInterval: EVERY_MS,
});

/** The last check of the move; null where none is published. */
export const moveQuery = queryOptions({
  queryKey: ['move'],
  queryFn: async ({ signal }): Promise<Move | null> => {
    try {
      return (await call<Answer<'get-move'>>({ path: MOVE_PATH, signal })).data;
    } catch (error) {
      if (error instanceof CallError && error.failure === 'missing') return null;
      throw error;
    }
  },
  refetchInterval: EVERY_MS,
});

/** Whether the page of the move was opened in this tab: then its link stays. */
export const openedMoveStore = createStore(false);
