import {
  AddNoteBody,
  AlertActionBody,
  AlertIdentifierQuery,
  createAlertBody,
  type AlertIdentifier,
  type OnExcess,
} from '@tocsin/contracts';
import { defineRoute, type Reply, type Route, type RouteInput } from '@tocsin/http';
import type { AlertWrites } from '../application/alert-writes.ts';
import { alertIdentifier } from '../domain/alert-identifier.ts';

/** Every answer to an accepted write. Without `data`: clients would read that instead of the text (wire facts 1.1). */
const ACCEPTED: Reply = { status: 202, body: { result: 'Request will be processed' } };

/** The writes to alerts (part 1, 4.1). A 202 is given only when the command is on Kafka (promise 1). */
export function alertRoutes(writes: AlertWrites, onExcess: OnExcess): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-alert',
      body: createAlertBody(onExcess),
      handle: async (input) => {
        await writes.create(input.body, input);
        return ACCEPTED;
      },
    }),
    defineRoute({
      operation: 'acknowledge-alert',
      query: AlertIdentifierQuery,
      body: AlertActionBody,
      handle: async (input) => {
        await writes.acknowledge(identifierOf(input), input.body, input);
        return ACCEPTED;
      },
    }),
    defineRoute({
      operation: 'close-alert',
      query: AlertIdentifierQuery,
      body: AlertActionBody,
      handle: async (input) => {
        await writes.close(identifierOf(input), input.body, input);
        return ACCEPTED;
      },
    }),
    defineRoute({
      operation: 'add-note',
      query: AlertIdentifierQuery,
      body: AddNoteBody,
      handle: async (input) => {
        await writes.addNote(identifierOf(input), input.body, input);
        return ACCEPTED;
      },
    }),
  ];
}

function identifierOf({ params, query }: RouteInput<AlertIdentifierQuery, unknown>): AlertIdentifier {
  return alertIdentifier(query.identifierType, params['identifier'] ?? '');
}
