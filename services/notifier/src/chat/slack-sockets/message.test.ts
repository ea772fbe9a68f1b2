import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { socketMessageIn } from './message.ts';

describe('a message of Socket Mode', () => {
  it('is a hello, a disconnect with its reason, or an envelope', () => {
    expect(socketMessageIn('{"type":"hello","num_connections":1}')).toEqual({ kind: 'hello' });
    expect(socketMessageIn('{"type":"disconnect","reason":"warning"}')).toEqual({
      kind: 'disconnect',
      reason: 'warning',
    });
    const envelope = {
      type: 'slash_commands',
      envelope_id: 'e1',
      payload: { text: 'x' },
      accepts_response_payload: true,
    };
    expect(socketMessageIn(JSON.stringify(envelope))).toEqual({
      kind: 'envelope',
      id: 'e1',
      type: 'slash_commands',
      payload: { text: 'x' },
      takesAnswer: true,
    });
  });

  it.each([
    'x',
    'null',
    '[]',
    '{}',
    '{"type":"interactive"}',
    '{"type":"interactive","envelope_id":7}',
    '{"type":"interactive","envelope_id":"e","payload":[]}',
    JSON.stringify({ type: 'interactive', envelope_id: 'e'.repeat(201) }),
  ])('is none in %s', (text) => {
    expect(socketMessageIn(text)).toBeUndefined();
  });

  it('is never read with an error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        socketMessageIn(text);
      }),
    );
  });
});
