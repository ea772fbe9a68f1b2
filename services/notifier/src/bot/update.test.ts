import { describe, expect, it } from '@jest/globals';
import { updatesIn } from './update.ts';

const message = (change: object) => ({
  update_id: 7,
  message: { from: { id: 70, is_bot: false }, chat: { id: 70, type: 'private' }, text: '/start', ...change },
});
const read = (...result: readonly unknown[]) => updatesIn({ ok: true, result });

describe('an update of the bot', () => {
  it.each([
    ['/start', undefined],
    ['/start ', undefined],
    ['/start abc_DEF-123', 'abc_DEF-123'],
    ['/start@tocsin_bot abc', 'abc'],
    [`/start ${'x'.repeat(64)}`, 'x'.repeat(64)],
    [`/start ${'x'.repeat(65)}`, undefined],
    ['/start a/b', undefined],
  ])('%s of a person is a start with the code %s', (text, code) => {
    expect(read(message({ text }))).toEqual([{ kind: 'start', id: 7, account: '70', code }]);
  });

  it.each(['/stop', '/stop ', '/stop@tocsin_bot'])('%s of a person is a stop', (text) => {
    expect(read(message({ text }))).toEqual([{ kind: 'stop', id: 7, account: '70' }]);
  });

  it('in a group is no start, whatever code it has', () => {
    const chat = { id: -1001, type: 'supergroup' };
    expect(read(message({ chat, text: '/start@tocsin_bot abc' }))).toEqual([
      { kind: 'group-start', id: 7, chat: '-1001', account: '70' },
    ]);
  });

  it.each([
    message({ text: 'hello' }),
    message({ text: '/starter abc' }),
    message({ text: '/stopping' }),
    message({ text: '/stop', chat: { id: -1001, type: 'supergroup' } }),
    message({ text: '/start a b' }),
    message({ text: `/start${' '.repeat(200)}abc` }),
    message({ text: undefined }),
    message({ from: { id: 70, is_bot: true } }),
    message({ from: undefined }),
    message({ chat: { id: 'x', type: 'private' } }),
    { update_id: 7, edited_message: {} },
    { update_id: 7, message: null },
  ])('of another kind is skipped: %j', (update) => {
    expect(read(update)).toEqual([{ kind: 'other', id: 7 }]);
  });

  it('is none in an answer that has none', () => {
    expect([updatesIn({}), updatesIn({ ok: false, result: [] }), read(), read({}, null)]).toEqual([
      undefined,
      undefined,
      [],
      [],
    ]);
  });
});
