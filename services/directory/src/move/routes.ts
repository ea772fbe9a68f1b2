import { MoveBody } from '@tocsin/api';
import { formatInstant } from '@tocsin/events';
import { actorName, defineRoute, type Route } from '@tocsin/http';
import type { Move } from './move.ts';
import type { Moves } from './operations.ts';

/** `/v2/account/move` (M6). */
export function moveRoutes(moves: Moves): readonly Route[] {
  return [
    defineRoute({
      operation: 'get-move',
      handle: async () => ({ body: { data: moveView(await moves.get()) } }),
    }),
    defineRoute({
      operation: 'publish-move',
      body: MoveBody,
      handle: async ({ body, principal }) => ({
        body: { result: 'Updated', data: moveView(await moves.publish(body, actorName(principal))) },
      }),
    }),
    defineRoute({
      operation: 'delete-move',
      handle: async () => {
        await moves.remove();
        return { body: { result: 'Deleted' as const } };
      },
    }),
  ];
}

const moveView = ({ checkedAt, publishedAt, ...rest }: Move) => ({
  ...rest,
  checkedAt: formatInstant(checkedAt),
  publishedAt: formatInstant(publishedAt),
});
