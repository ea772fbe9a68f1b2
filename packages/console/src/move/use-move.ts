import { useQuery } from '@tanstack/react-query';
import { useAccountChangesRefused } from '../session/use-rights.ts';
import { useStore } from '../shell/store.ts';
import { moveQuery, openedMoveStore, shadowQuery } from './queries.ts';

/** Whether navigation leads the signed-in person to the page of the move: an owner or admin, while there is a move. */
export function useIsMoveOffered(): boolean {
  const enabled = useAccountChangesRefused() === undefined;
  const { data: move } = useQuery({ ...moveQuery, enabled });
  const { data: shadow } = useQuery({ ...shadowQuery, enabled });
  const isOpened = useStore(openedMoveStore);
  return enabled && (isOpened || (move ?? undefined) !== undefined || shadow?.enabled === true);
}
