import { InvalidError } from '@tocsin/core';
import { ShadowSwitches } from '@tocsin/events';
import { defineInternalRoute, type InternalRoute } from '@tocsin/http';
import type { ShadowGate } from './operations.ts';

/** Directory sends the state of the switch before it answers the request that sets it (M1). */
export const shadowRoute = (gate: Pick<ShadowGate, 'keep'>): InternalRoute =>
  defineInternalRoute({
    method: 'PUT',
    path: '/internal/shadow',
    body: ShadowSwitches.schema,
    handle: async ({ body }) => {
      if (body.deleted) throw new InvalidError('The switch of shadow is never deleted.');
      return { body: { data: await gate.keep(body) } };
    },
  });
