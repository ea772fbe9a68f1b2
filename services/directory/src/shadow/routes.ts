import { ShadowBody } from '@tocsin/api';
import { formatInstant, SHADOW_SWITCH, ShadowSwitches } from '@tocsin/events';
import { actorName, defineRoute, type InternalRoute, type Route, stateRoutes } from '@tocsin/http';
import type { Shadow } from './operations.ts';
import { type ShadowSwitch, switchMessage } from './shadow-switch.ts';
import type { ShadowSwitchStore } from './store.ts';

/** `/v2/account/shadow` (M1). */
export function shadowRoutes(shadow: Shadow): readonly Route[] {
  return [
    defineRoute({
      operation: 'get-shadow',
      handle: async () => ({ body: { data: shadowView(await shadow.get()) } }),
    }),
    defineRoute({
      operation: 'set-shadow',
      body: ShadowBody,
      handle: async ({ body: { enabled }, principal }) => ({
        body: { result: 'Updated', data: shadowView(await shadow.set(enabled, actorName(principal))) },
      }),
    }),
  ];
}

const shadowView = ({ changedAt, changedBy, enabled }: ShadowSwitch) => ({
  enabled,
  changedAt: formatInstant(changedAt),
  ...(changedBy !== undefined && { changedBy }),
});

/** For other services: the state of the switch as it is now. A gateway acts on it for a while (M8). */
export const internalShadowRoutes = (store: Pick<ShadowSwitchStore, 'findNow'>): readonly InternalRoute[] =>
  stateRoutes(ShadowSwitches, async (index, values) => {
    const found = index === 'id' && values.includes(SHADOW_SWITCH) ? await store.findNow() : undefined;
    return found === undefined ? [] : [switchMessage(found)];
  });
